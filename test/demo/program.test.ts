import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { LLMock } from '@copilotkit/aimock';
import { describe, expect, it } from 'vitest';

const project = fileURLToPath(new URL('../..', import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Presses Ctrl-C as soon as this has been shown. */
  readonly interruptAt?: string;
}

/** Runs the program as `npm start` does, without the model that this machine may have. */
async function run({ args = [], env = {}, interruptAt }: RunOptions = {}): Promise<Ended> {
  const { PATH = '', HOME = '' } = process.env;
  const program = spawn(process.execPath, ['--import', 'tsx', 'src/demo/main.ts', ...args], {
    cwd: project,
    env: { PATH, HOME, ...env },
  });
  let stdout = '';
  let stderr = '';
  program.stdout.setEncoding('utf8').on('data', (text: string) => {
    const isTold = interruptAt !== undefined && !stdout.includes(interruptAt) && (stdout + text).includes(interruptAt);
    stdout += text;
    if (isTold) program.kill('SIGINT');
  });
  program.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(program, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** A server on loopback, for as long as it is used. */
async function withServer(answer: RequestListener, use: (baseUrl: string) => Promise<void>): Promise<void> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  } finally {
    server.close();
  }
}

const secret = 'sk-a-key-that-nobody-may-see';

describe('npm start', { timeout: 60_000 }, () => {
  it('runs three tools at once against the embedded server, and answers with what they have found', async () => {
    const { code, stdout, stderr } = await run();
    const place = (text: string) => {
      expect(stdout).toContain(text);
      return stdout.indexOf(text);
    };
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // The clock still ticks when the last tool starts, and two tools have started before the model has ended its turn.
    const steps = ['▶ clock', '· clock', '▶ project_files', '▶ calculate', 'has ended its turn with 3 calls', '✔ clock'].map(
      place,
    );
    expect(steps).toEqual(steps.toSorted((one, other) => one - other));
    expect(place('· project_files')).toBeLessThan(place('✔ project_files'));

    const answer = stdout.slice(place('◆ round 2'));
    const [, time] = /✔ clock .*"time":"([\d:]+)/.exec(stdout)!;
    const [, files] = /✔ project_files .*"total":"([\d,]+) f/.exec(stdout)!;
    expect(answer).toContain(`In Tokyo it is ${time} on `);
    expect(answer).toContain(`The project holds ${files} files, `);
    expect(answer).toContain(`is ${((1234 + 5678) * 9) / 7}`.slice(0, -2));
    expect(answer).toMatch(/usage +\d+ tokens in, \d+ out, \d+ in total\n +duration +[\d.]+ s, 2 rounds\n\n/);
    expect(answer).toMatch(/\nmodel +[^]*\nclock +[^]*\nproject_files? ?[^]*\ncalculate +[^]*✔ result/);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(stdout).not.toMatch(/\u001b/);
  });

  it('[S98] moves money on `bank`: the credit is undone when the debit fails, the model is told, and the balances are as before', async () => {
    const { code, stdout, stderr } = await run({ args: ['bank'] });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const steps = [
      'Transfer 100 euros from Ada to Ben.',
      'balances       Ada 30, Ben 5\n',
      '▶ credit ',
      '▶ debit ',
      '✖ debit          failed in ',
      '↶ credit         undone (toolError)\n',
      '◆ round 2',
      '- credit had succeeded, but it was rolled back because debit failed.\n',
      '- Ada has only 30 euros.\n',
      '✔ answer ',
      'balances       Ada 30, Ben 5\n',
    ];
    let place = 0;
    for (const step of steps) {
      expect(stdout.slice(place)).toContain(step);
      place = stdout.indexOf(step, place) + step.length;
    }
    expect(stdout).toMatch(/✔ credit +in \d+ ms: \{"account":"Ben","balance":105\}\n/);
  });

  it('offers the tools of the bank to the server at OPENAI_BASE_URL too', async () => {
    const bodies: string[] = [];
    const answer: RequestListener = (request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
      const chunk = { choices: [{ delta: { content: 'I had rather not.' }, finish_reason: 'stop' }] };
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
    };
    await withServer(answer, async (baseUrl) => {
      const { code, stdout } = await run({ args: ['bank'], env: { OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: 'local-model' } });
      expect(code).toBe(0);
      expect(stdout).toMatch(/To local-model:\n[^]* I had rather not\.\n[^]*balances +Ada 30, Ben 5\n\n/);
    });
    const { tools } = JSON.parse(bodies.join('')) as { tools: readonly { function: { name: string } }[] };
    expect(tools.map((tool) => tool.function.name)).toEqual(['credit', 'debit']);
  });

  it('draws the invocation in the end, and writes the picture where --svg says', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'demo-'));
    const file = join(folder, 'run.svg');
    const { code, stdout } = await run({ args: ['bank', '--svg', file] });
    expect(code).toBe(0);
    expect(stdout).toMatch(/\ncredit +━+✔┈+↶ .*\ndebit +━+✖ .*Ada has only 30 euros\.\n/);
    expect(stdout.endsWith(`The picture is in ${file}\n`)).toBe(true);
    expect(readFileSync(file, 'utf8')).toMatch(/^<svg [^]*credit[^]*<\/svg>\s*$/);
    rmSync(folder, { recursive: true });
  });

  it('says which options there are', async () => {
    const { code, stderr } = await run({ args: ['--draw'] });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "error: Unknown option '--draw'; there is --svg FILE, and a question.\n",
    });
  });

  it('takes `bank` for a story only where it stands alone', async () => {
    const { code, stdout } = await run({ args: ['Which', 'bank', 'is', 'open?'] });
    expect(code).toBe(0);
    expect(stdout).toContain('- calculate: ');
    expect(stdout).not.toContain('balances');
  });

  it('says to any other question that the embedded server has a script, and how to ask a real model', async () => {
    const { code, stdout } = await run({ args: ['How', 'are you?'], env: { OPENAI_API_KEY: '', OPENAI_BASE_URL: '' } });
    expect(code).toBe(0);
    expect(stdout).toContain('How are you?');
    expect(stdout).toContain('for a real model');
    expect(stdout).toContain('- calculate: ');
  });

  it('ends at once on Ctrl-C, while tools run: 130, and nothing is left running', async () => {
    const { code, stdout, stderr } = await run({ interruptAt: '▶ project_files' });
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
    expect(stdout).toMatch(/\ncancelled\n$/);
    expect(stdout).not.toContain('✔ answer');
  });

  it('asks the server at OPENAI_BASE_URL, without a key where none is set', async () => {
    const chunks = [{ delta: { content: 'Hello there.' } }, { delta: {}, finish_reason: 'stop' }].map(
      (choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`,
    );
    const keys: unknown[] = [];
    const answer: RequestListener = ({ headers }, response) => {
      keys.push(headers.authorization);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${chunks.join('')}data: [DONE]\n\n`);
    };
    await withServer(answer, async (baseUrl) => {
      const { code, stdout } = await run({ args: ['Hello?'], env: { OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: 'local-model' } });
      expect(code).toBe(0);
      expect(stdout).toMatch(/To local-model:\n +Hello\?\n[^]*\n +Hello there\.\n/);
    });
    expect(keys).toEqual([undefined]);
  });

  it.each([
    ['openai', 'OPENAI', '/v1'],
    ['openai-responses', 'OPENAI', '/v1'],
    ['anthropic', 'ANTHROPIC', ''],
    ['gemini', 'GEMINI', '/v1beta'],
    ['ollama', 'OLLAMA', ''],
  ])('asks the provider that TOOLSTREAM_PROVIDER names, under its own variables: %s', async (provider, prefix, path) => {
    const mock = new LLMock({ port: 0 });
    await mock.start();
    mock.onMessage('Hello?', { content: 'Hello there.' });
    const url = { [prefix === 'OLLAMA' ? 'OLLAMA_HOST' : `${prefix}_BASE_URL`]: `${mock.url}${path}` };
    const env = { TOOLSTREAM_PROVIDER: provider, ...url, [`${prefix}_API_KEY`]: secret, [`${prefix}_MODEL`]: 'some-model' };
    const { code, stdout, stderr } = await run({ args: ['Hello?'], env });
    await mock.stop();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/To some-model:\n +Hello\?\n[^]*\n +Hello there\.\n/);
    expect(stdout).not.toContain(secret);
  });

  it.each([
    ['anthropic', 'there is no key for it. Set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL to a server that takes no key.'],
    ['gemini', 'there is no key for it. Set GEMINI_API_KEY or GOOGLE_API_KEY, or GEMINI_BASE_URL to a server that takes no key.'],
    ['openai', 'there is no key for it. Set OPENAI_API_KEY, or OPENAI_BASE_URL to a server that takes no key.'],
  ])('says what is missing for %s', async (provider, missing) => {
    const { code, stderr } = await run({ env: { TOOLSTREAM_PROVIDER: provider } });
    expect({ code, stderr }).toEqual({ code: 1, stderr: `error: TOOLSTREAM_PROVIDER is ${provider}, but ${missing}\n` });
  });

  it('says which providers there are', async () => {
    const { code, stderr } = await run({ env: { TOOLSTREAM_PROVIDER: 'mistral' } });
    expect(code).toBe(1);
    expect(stderr).toContain('it must be one of openai, openai-responses, anthropic, gemini, ollama.');
  });

  it('says in one line that nobody answers at OPENAI_BASE_URL', async () => {
    let closed = '';
    await withServer(
      () => undefined,
      (baseUrl) => {
        closed = baseUrl;
        return Promise.resolve();
      },
    );
    const { code, stdout, stderr } = await run({ env: { OPENAI_BASE_URL: closed, OPENAI_API_KEY: secret } });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: .*ECONNREFUSED.* Is OPENAI_BASE_URL right, and does the server run\?\n$/);
    expect(stdout).toMatch(/↻ retry/);
    expect(stdout + stderr).not.toContain(secret);
  });

  it('says in one line that the key is wrong, without showing it', async () => {
    const error = { message: `Incorrect API key provided: ${secret}`, type: 'invalid_request_error', code: 'invalid_api_key' };
    const answer: RequestListener = (_, response) =>
      response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    await withServer(answer, async (baseUrl) => {
      const { code, stdout, stderr } = await run({ env: { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: secret } });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^error: .*Incorrect API key.* Is OPENAI_API_KEY right\?\n$/);
      expect(stdout + stderr).not.toContain(secret);
    });
  });

  it('says in one line that OPENAI_BASE_URL is no address', async () => {
    expect(await run({ env: { OPENAI_BASE_URL: 'example.com' } })).toMatchObject({
      code: 1,
      stderr:
        'error: openAiChat: baseUrl is "example.com"; it must be a URL that begins with http:// or https://, or in a page a path that begins with /, without blanks or a #.\n',
    });
  });
});
