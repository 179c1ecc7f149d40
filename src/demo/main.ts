import { writeFileSync } from 'node:fs';
import type { Observable } from 'rxjs';
import { recordTimeline, renderAscii, renderSvg } from '../timeline/index.ts';
import { argumentsOf, type Arguments } from './arguments.ts';
import { bankDemo } from './bank/bank-demo.ts';
import { demo } from './demo.ts';
import { failure } from './failure.ts';
import { hasColors, paintFor } from './paint.ts';
import type { Passage } from './passage.ts';
import { defaultQuestion } from './script.ts';
import { typeset } from './typeset.ts';

const { stdout, stderr, env, argv } = process;
const columns = stdout.columns || 80;
const page = { columns, paint: paintFor(stdout, env) };
const recorder = recordTimeline();

const cancellation = new AbortController();
process.on('SIGINT', () => cancellation.abort());
// Whoever read our output has gone.
stdout.on('error', () => cancellation.abort());

/** `patience`: ms that what still runs has, such as an embedded server that writes to the end though nobody listens any more. */
function fail(error: unknown, patience = 100): void {
  const { message, exitCode } = failure(error);
  (exitCode === 130 ? stdout : stderr).write(`${message}\n`);
  process.exitCode = exitCode;
  setTimeout(() => process.exit(), patience).unref();
}

/** Draws what ran at the same time, and what waited. */
function draw(svg: string | undefined): void {
  const timeline = recorder.timeline();
  stdout.write(`\n${renderAscii(timeline, { width: columns, color: hasColors(stdout, env) })}\n`);
  if (svg === undefined) return;
  writeFileSync(svg, renderSvg(timeline));
  stdout.write(`The picture is in ${svg}\n`);
}

function tell(told: Observable<Passage>, svg: string | undefined, patience?: number): void {
  told.pipe(typeset(page)).subscribe({
    next: (text) => stdout.write(text),
    error: (error: unknown) => fail(error, patience),
    complete: () => orFail(() => draw(svg)),
  });
}

function start({ question, svg }: Arguments): void {
  const watch = recorder.watch();
  // A word of its own for the bank transfer, in which what was done is undone before the end; anything else is a question.
  if (question === 'bank') tell(bankDemo(env, cancellation.signal, watch), svg, 1000);
  else tell(demo(question || defaultQuestion, env, cancellation.signal, watch), svg);
}

function orFail(action: () => void): void {
  try {
    action();
  } catch (error) {
    fail(error);
  }
}

orFail(() => start(argumentsOf(argv.slice(2))));
