import { bankDemo } from './bank/bank-demo.ts';
import { demo } from './demo.ts';
import { failure } from './failure.ts';
import { paintFor } from './paint.ts';
import { defaultQuestion } from './script.ts';
import { typeset } from './typeset.ts';

const { stdout, stderr, env, argv } = process;
const asked = argv.slice(2).join(' ').trim();
const page = { columns: stdout.columns || 80, paint: paintFor(stdout, env) };

const cancellation = new AbortController();
process.on('SIGINT', () => cancellation.abort());
// Whoever read our output has gone.
stdout.on('error', () => cancellation.abort());

// A word of its own for the bank transfer; anything else is a question.
const told = asked === 'bank' ? bankDemo(env, cancellation.signal) : demo(asked || defaultQuestion, env, cancellation.signal);

told.pipe(typeset(page)).subscribe({
  next: (text) => stdout.write(text),
  error: (error: unknown) => {
    const { message, exitCode } = failure(error);
    (exitCode === 130 ? stdout : stderr).write(`${message}\n`);
    process.exitCode = exitCode;
    // The embedded server writes its answer to the end though nobody listens any more: not worth waiting for.
    setTimeout(() => process.exit(), 100).unref();
  },
});
