/** More than any drawing has room for. */
const most = 2000;

/**
 * A text that draws itself and nothing else, on one line: without control characters, marks that turn the direction or join
 * what stands beside them, and heaps of accents. What has no sure width, such as a flag, is replaced.
 */
export function printable(text: string): string {
  return text
    .slice(0, most)
    .normalize('NFC')
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/\p{White_Space}+/gu, ' ')
    .replace(/\p{Regional_Indicator}/gu, (flag) => String.fromCodePoint(flag.codePointAt(0)! - 0x1f1e6 + 0x41))
    .replace(/[\p{Cc}\p{Cf}\p{Me}\p{Emoji_Modifier}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\p{Cn}\p{Co}\u1160-\u11ff\ud7b0-\ud7ff]/gu, '\ufffd')
    .replace(/^\p{M}+/u, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1');
}
