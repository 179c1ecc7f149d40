import { writeFileSync } from 'node:fs';
import { defer } from 'rxjs';
import { recordTimeline, renderAscii, renderSvg } from '../timeline/index.ts';
import { argumentsOf } from './arguments.ts';
import { bankDemo } from './bank/bank-demo.ts';
import { demo } from './demo.ts';
import { failure } from './failure.ts';
import { hasColors, paintFor } from './paint.ts';
import { defaultQuestion } from './script.ts';
import { typeset } from './typeset.ts';

const { stdout, stderr, env, argv } = process;
const columns = stdout.columns || 80;
const page = { columns, paint: paintFor(stdout, env) };
const recorder = recordTimeline();
// A word of its own for the bank transfer; anything else is a question.
const isBank = argv.slice(2).includes('bank');

const cancellation = new AbortController();
process.on('SIGINT', () => cancellation.abort());
// Whoever read our output has gone.
stdout.on('error', () => cancellation.abort());

const fail = (error: unknown) => {
  const { message, exitCode } = failure(error);
  (exitCode === 130 ? stdout : stderr).write(`${message}\n`);
  process.exitCode = exitCode;
  // The embedded server writes its answer to the end though nobody listens any more: not worth waiting for. What a tool has
  // done is undone first.
  setTimeout(() => process.exit(), isBank ? 1000 : 100).unref();
};

const told = defer(() => {
  const { question } = argumentsOf(argv.slice(2));
  return question === 'bank'
    ? bankDemo(env, cancellation.signal, recorder.watch())
    : demo(question || defaultQuestion, env, cancellation.signal, recorder.watch());
});

/** What ran at the same time, and what waited. */
const draw = () => {
  const timeline = recorder.timeline();
  stdout.write(`\n${renderAscii(timeline, { width: columns, color: hasColors(stdout, env) })}\n`);
  const { svg } = argumentsOf(argv.slice(2));
  if (svg === undefined) return;
  writeFileSync(svg, renderSvg(timeline));
  stdout.write(`The picture is in ${svg}\n`);
};

told.pipe(typeset(page)).subscribe({
  next: (text) => stdout.write(text),
  error: fail,
  complete: () => {
    try {
      draw();
    } catch (error) {
      fail(error);
    }
  },
});
