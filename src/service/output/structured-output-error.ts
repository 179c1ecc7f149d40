const shownLength = 500;

/** The model's answer is not what `output` asks for. `text` is that answer, whole; the message shows its beginning. */
export class StructuredOutputError extends Error {
  override readonly name = 'StructuredOutputError';
  readonly text: string | null;

  constructor(message: string, { text = null, cause }: { text?: string | null; cause?: unknown } = {}) {
    super(`${message}\nThe answer was: ${shown(text)}`, cause === undefined ? undefined : { cause });
    this.text = text;
  }
}

function shown(text: string | null): string {
  if (!text) return '(no text)';
  return text.length > shownLength ? `${text.slice(0, shownLength)}… (${text.length} characters)` : text;
}
