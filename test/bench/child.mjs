// One subject in a process of its own, so that none pays for another's garbage. Answers each `sample` with numbers.
import { scenarios } from './scenarios/index.mjs';
import { fileOf } from './subjects.mjs';

const [name, scenarioName, origin] = process.argv.slice(2);
const start = performance.now();
const { subject } = await import(fileOf(name));
const importTime = performance.now() - start;
const sample = scenarios[scenarioName].begin(subject, { name, origin, importTime });

// A promise that nobody could have caught would end the process of a user. Here it is counted.
let unhandled = 0;
process.on('unhandledRejection', () => unhandled++);

// No garbage collection is forced before a sample: it would throw the optimised code away with the hidden classes.
process.on('message', async () => {
  try {
    process.send({ numbers: await sample(), unhandled });
  } catch (error) {
    process.send({ error: String(error?.message ?? error) });
  }
});
process.on('disconnect', () => process.exit());
process.send('ready');
