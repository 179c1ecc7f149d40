// One subject in a process of its own, so that neither pays for the other's garbage. Answers each `sample` with numbers.
import { scenarios } from './scenarios.mjs';

const [subjectName, scenarioName, origin] = process.argv.slice(2);
const { subject } = await import(`./${subjectName}.mjs`);
const sample = scenarios[scenarioName].begin(subject, { origin });

// No garbage collection is forced before a sample: it would throw the optimised code away with the hidden classes.
process.on('message', async () => {
  try {
    process.send({ numbers: await sample() });
  } catch (error) {
    process.send({ error: String(error?.stack ?? error) });
  }
});
process.on('disconnect', () => process.exit());
process.send('ready');
