// What the model of a scenario does, as data: it can be sent in a URL, and it says beforehand what the right answer is.

/**
 * `rounds` rounds of `calls` tool calls each, then an answer of `tokens` tokens. `argumentLength` characters of arguments come in
 * `fragments` pieces. `framesPerChunk` frames are written at once, one such chunk every `delay` ms. `id`: the server remembers what
 * became of the requests.
 */
export const script = (what) => ({
  rounds: 0,
  calls: 1,
  tokens: 0,
  argumentLength: 20,
  fragments: 1,
  framesPerChunk: 16,
  delay: 0,
  ...what,
});

export const word = ' token';

/** The number that a call of the script has as its argument, and what the tool makes of it. */
export const numberOf = (round, index) => round * 1000 + index;
export const resultOf = (i) => (i * 31) % 997;

/** What the results of all calls come to. */
export function sumOf({ rounds, calls }) {
  let sum = 0;
  for (let round = 0; round < rounds; round++)
    for (let index = 0; index < calls; index++) sum += resultOf(numberOf(round, index));
  return sum;
}

/** The last words of the model: the sum of all results that it was told. */
export const conclusion = ({ rounds }, sum) => (rounds ? ` sum=${sum}` : '');

/** The text that a subject must get to see: all tokens, and a sum that only the right results of all tools have. */
export const answer = (what) => word.repeat(what.tokens) + conclusion(what, sumOf(what));
