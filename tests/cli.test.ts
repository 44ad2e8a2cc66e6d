import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  callsStep,
  type FaultName,
  faultScript,
  type ModelServer,
  roundsScript,
  type Script,
  sharedPrefixBytes,
  startModelServer,
  textStep,
} from '@hermes/model-server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CLI, Sandbox } from './support/hermes.ts';

let box: Sandbox;
const servers: ModelServer[] = [];
beforeEach(() => {
  box = new Sandbox();
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  box.remove();
});

async function serve(script: Script): Promise<ModelServer> {
  const server = await startModelServer({ script });
  servers.push(server);
  box.configure(server.url);
  return server;
}

const messagesOf = (server: ModelServer, index: number): { role: string; content: unknown }[] =>
  JSON.parse(server.requests[index]?.raw ?? '{}').messages;

/** A request begins with everything the one before held, up to the end of its list of messages. */
function expectPrefixKept(before: string, after: string): void {
  const end = before.lastIndexOf(
    '}]',
    before.indexOf('"tools"') > before.indexOf('"messages"') ? before.indexOf('"tools"') : undefined,
  );
  expect(sharedPrefixBytes(before, after)).toBeGreaterThanOrEqual(Buffer.byteLength(before.slice(0, end)));
}

describe('one answer: hermes -z', () => {
  test('T05 prints the answer and nothing else on stdout, and keeps the turn', async () => {
    await serve([textStep('Hello there.')]);
    const { code, stdout, stderr } = await box.run(['-z', 'hi', '--usage-file', join(box.dir, 'usage.json')]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'Hello there.\n', stderr: '' });
    expect(JSON.parse(readFileSync(join(box.dir, 'usage.json'), 'utf8'))).toMatchObject({
      status: 'completed',
      api_calls: 1,
      exit_code: 0,
    });
    const listed = await box.run(['sessions', 'list', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ source: 'oneshot', title: 'hi', messageCount: 2 }]);
  });

  test('piped text is appended as context', async () => {
    const server = await serve([textStep('ok')]);
    await box.run(['-z', 'summarize'], { input: 'the long text\n' });
    expect(messagesOf(server, 0).at(-1)?.content).toBe('summarize\n\nthe long text\n');
  });

  test('T05 a turn stopped by its limit exits 2 and says so on stderr', async () => {
    await serve(roundsScript({ rounds: 100, tool: 'terminal', arguments: '{"command":"true"}' }));
    const { code, stderr } = await box.run([
      '-z',
      'go',
      '--max-turns',
      '2',
      '--usage-file',
      join(box.dir, 'usage.json'),
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('used its 2 model calls');
    expect(existsSync(join(box.dir, 'usage.json'))).toBe(true);
  });

  test('T05 SIGINT ends the turn in order and exits 130', async () => {
    const server = await serve([
      callsStep({ id: 'call_1', name: 'terminal', arguments: '{"command":"echo started; sleep 60"}' }),
    ]);
    const { child, ended } = box.start(['-z', 'go', '--usage-file', join(box.dir, 'usage.json')]);
    await server.ended(0);
    await waitForRun(box, 'dispatched');
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(JSON.parse(readFileSync(join(box.dir, 'usage.json'), 'utf8'))).toMatchObject({ status: 'interrupted' });
  });

  test('T04 without any provider it exits 2 at once and names ways to go on', async () => {
    const { code, stdout, stderr } = await box.run(['-z', 'hi']);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr.split('\n').filter((line) => line.startsWith('  ')).length).toBeGreaterThanOrEqual(3);
  });

  test('the demo model drives the real tools, and says that it is scripted', async () => {
    writeFileSync(join(box.project, 'notes.txt'), 'remember the milk\n');
    const { code, stdout } = await box.run(['-z', 'list the files here', '--demo']);
    expect(code).toBe(0);
    expect(stdout).toContain('notes.txt');
    expect(stdout.toLowerCase()).toContain('scripted');
  });
});

describe('a fault in the second round of three', () => {
  test.each<[FaultName, number]>([
    ['rateLimited', 1],
    ['serverError', 2],
    ['cutStream', 1],
    ['malformedArguments', 1],
    ['emptyAnswer', 1],
    ['contextOverflow', 1],
  ])('%s, %s times: the turn still ends with its answer', async (fault, times) => {
    await serve(faultScript(fault, { rounds: 3, tool: 'terminal', arguments: '{"command":"true"}', times }));
    expect(await box.run(['-z', 'go'])).toMatchObject({ code: 0, stdout: 'Done after 3 rounds.\n', stderr: '' });
  });
});

describe('a turn of fifty tool calls', () => {
  test('ends with the text, keeps its prefix, and stores every call and result once, in order; a new process goes on with the same prefix', async () => {
    const rounds = roundsScript({ rounds: 50, tool: 'terminal', arguments: '{"command":"echo round"}' });
    const server = await serve((index, body) => (index <= 50 ? rounds(index, body) : textStep('resumed')));
    const first = await box.run(['-z', 'go']);
    expect(first.code).toBe(0);
    expect(server.requests).toHaveLength(51);
    server.requests
      .slice(1)
      .forEach((request, index) => expectPrefixKept(server.requests[index]?.raw ?? '', request.raw));

    const shown = JSON.parse((await box.run(['sessions', 'show', 'latest', '--json'])).stdout) as {
      messages: { role: string; toolCallId?: string; toolCalls?: { id: string }[] }[];
    };
    const calls = shown.messages.flatMap((row) => row.toolCalls?.map((call) => call.id) ?? []);
    const results = shown.messages.flatMap((row) => (row.role === 'tool' ? [row.toolCallId] : []));
    expect(calls).toHaveLength(50);
    expect(new Set(calls).size).toBe(50);
    expect(results).toEqual(calls);

    expect((await box.run(['-c', '-z', 'again'])).stdout).toBe('resumed\n');
    expectPrefixKept(server.requests[50]?.raw ?? '', server.requests[51]?.raw ?? '');
  });
});

describe('kill -9 in the middle of a tool round', () => {
  test('the next run has the earlier calls and results, shows the open call as unknown, and does not run it again', async () => {
    const server = await serve([
      callsStep({ id: 'call_1', name: 'terminal', arguments: '{"command":"echo first >> done.txt"}' }),
      callsStep({ id: 'call_2', name: 'terminal', arguments: '{"command":"echo second >> done.txt; sleep 60"}' }),
      textStep('I see.'),
    ]);
    const { child, ended } = box.start(['-z', 'go']);
    await waitFor(
      () =>
        existsSync(join(box.project, 'done.txt')) &&
        readFileSync(join(box.project, 'done.txt'), 'utf8').includes('second'),
    );
    child.kill('SIGKILL');
    expect((await ended).signal).toBe('SIGKILL');

    const { stdout, stderr, code } = await box.run(['-c', '-z', 'what happened?']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'I see.\n' });
    expect(stderr).toContain('was not run again');
    const messages = messagesOf(server, 2);
    expect(messages.map((message) => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    expect(messages[5]?.content).toContain('effect is unknown');
    expect(readFileSync(join(box.project, 'done.txt'), 'utf8')).toBe('first\nsecond\n');
    expectPrefixKept(server.requests[1]?.raw ?? '', server.requests[2]?.raw ?? '');
  });
});

describe('several processes on one home', () => {
  const answerByPrompt: Script = (_, body) => {
    const prompt = String(body.messages.findLast((message) => message.role === 'user')?.content);
    const call = { id: 'c', name: 'terminal', arguments: '{"command":"echo hi"}' };
    return body.messages.at(-1)?.role === 'tool' ? textStep(`done with ${prompt}`) : callsStep(call);
  };

  test('eight that start at the same instant make eight sessions, every message once, no lock reaching a user', async () => {
    await serve(answerByPrompt);
    const ended = await Promise.all(Array.from({ length: 8 }, (_, n) => box.run(['-z', `job ${n}`])));
    ended.forEach(({ code, stdout, stderr }, n) => {
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `done with job ${n}\n`, stderr: '' });
    });
    const listed = JSON.parse((await box.run(['sessions', 'list', '--json'])).stdout) as { messageCount: number }[];
    expect(listed.map(({ messageCount }) => messageCount)).toEqual(Array.from({ length: 8 }, () => 4));
  });

  test('two on one session run one after the other, each with its own answer, and the second sees the first', async () => {
    const server = await serve(answerByPrompt);
    await box.run(['-z', 'begin']);
    const [{ id }] = JSON.parse((await box.run(['sessions', 'list', '--json'])).stdout) as [{ id: string }];
    const both = await Promise.all(['A', 'B'].map((name) => box.run(['-r', id, '-z', name])));
    expect(both.map(({ stdout }) => stdout)).toEqual(['done with A\n', 'done with B\n']);
    const roles = messagesOf(server, server.requests.length - 1).map((message) => message.role);
    const turn = ['user', 'assistant', 'tool', 'assistant'];
    expect(roles).toEqual(['system', ...turn, ...turn, ...turn.slice(0, 3)]);
  });
});

describe('chat --format stream-json', () => {
  test('T06 every line is JSON, the first names the session, and the last is the one result', async () => {
    await serve([callsStep({ id: 'c', name: 'terminal', arguments: '{"command":"echo hi"}' }), textStep('Said hi.')]);
    const { stdout, code } = await box.run(['chat', '-q', 'say hi', '--format', 'stream-json']);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(code).toBe(0);
    expect(lines[0]).toMatchObject({ type: 'session', v: 1, model: 'scripted-model' });
    expect(lines.filter((line) => line.type === 'result')).toHaveLength(1);
    expect(lines.at(-1)).toMatchObject({ type: 'result', status: 'completed', final_text: 'Said hi.', exit_code: 0 });
    expect(lines.map((line) => line.type)).toEqual(
      expect.arrayContaining(['text.delta', 'tool.start', 'tool.end', 'usage']),
    );
  });
});

describe('what goes wrong is said in one clear message, with the documented exit code', () => {
  test('T01 --version prints one line and touches no home', async () => {
    rmSync(box.home, { recursive: true });
    const { stdout, code } = await box.run(['--version']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^hermes \d+\.\d+\.\d+\n$/u) });
    expect(existsSync(box.home)).toBe(false);
  });

  test('T02 an unknown command is named with its neighbours in at most three lines', async () => {
    const { stderr, code } = await box.run(['sesions']);
    expect(code).toBe(2);
    expect(stderr).toContain('sessions');
    expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(3);
  });

  test('an unknown provider is named with those that exist', async () => {
    await serve([]);
    const { stderr, code } = await box.run(['-z', 'hi', '--provider', 'bensh', '--model', 'm']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('bench') });
  });

  test('a missing key is named with the way to set it', async () => {
    await serve([]);
    writeFileSync(join(box.home, '.env'), '');
    const { stderr, code } = await box.run(['-z', 'hi']);
    expect(code).toBe(2);
    expect(stderr).toContain('BENCH_API_KEY');
    expect(stderr).toContain('hermes config set BENCH_API_KEY');
  });

  test('a server that is not there is named after the retries, and the input is kept', async () => {
    box.configure('http://127.0.0.1:9/v1', 'agent:\n  api_max_retries: 0\n');
    const { stderr, code } = await box.run(['-z', 'remember me']);
    expect(code).toBe(2);
    expect(stderr).toContain('127.0.0.1:9');
    expect((await box.run(['sessions', 'show', 'latest'])).stdout).toContain('remember me');
  });

  test('broken YAML is located by line and column; the last good settings serve, and nothing is written over it', async () => {
    await serve([textStep('one'), textStep('two')]);
    await box.run(['-z', 'hi']);
    const broken = `${readFileSync(join(box.home, 'config.yaml'), 'utf8')}\nagent: [1\n`;
    writeFileSync(join(box.home, 'config.yaml'), broken);
    const set = await box.run(['config', 'set', 'terminal.timeout', '90']);
    expect({ code: set.code, stderr: set.stderr }).toEqual({ code: 78, stderr: expect.stringMatching(/line \d+/u) });
    const answer = await box.run(['-z', 'hi']);
    expect(answer.stderr).toMatch(/line \d+, column \d+/u);
    expect(answer.stdout).toBe('two\n');
    expect(readFileSync(join(box.home, 'config.yaml'), 'utf8')).toBe(broken);
  });

  test('a home that cannot be written is named', async () => {
    rmSync(box.home, { recursive: true });
    writeFileSync(box.home, 'a file');
    const { stderr, code } = await box.run(['-z', 'hi', '--demo']);
    expect(code).toBe(1);
    expect(stderr).toContain(box.home);
    expect(stderr).not.toContain('    at ');
  });

  test('a full disk ends the turn with the reason and loses nothing that was kept', async () => {
    await serve([textStep('first'), textStep('x'.repeat(3_000_000)), textStep('third'), textStep('fourth')]);
    expect((await box.run(['-z', 'one'])).code).toBe(0);
    const full = await promisify(execFile)(
      '/bin/sh',
      ['-c', `trap '' XFSZ; ulimit -f 2048; exec "$0" "$1" -c -z two`, process.execPath, CLI],
      { cwd: box.project, env: { PATH: process.env.PATH ?? '', HERMES_HOME: box.home }, maxBuffer: 10_000_000 },
    ).catch((error: { code: number; stderr: string }) => error);
    expect(full).toMatchObject({ code: 2, stderr: expect.stringContaining('disk') });
    const again = await box.run(['-c', '-z', 'three']);
    expect(again.stdout).toBe('fourth\n');
    expect((await box.run(['sessions', 'show', 'latest'])).stdout).toMatch(/one[\s\S]*two[\s\S]*third[\s\S]*three/u);
  });

  test('without a terminal the interactive form says what to use instead', async () => {
    const { stderr, code } = await box.run([]);
    expect(code).toBe(2);
    expect(stderr).toContain('hermes -z');
  });

  test('a session that is not there is said to be missing', async () => {
    expect(await box.run(['sessions', 'show', 'nope'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no session "nope"'),
    });
    expect(await box.run(['-c', '-z', 'hi', '--demo'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no session to continue'),
    });
  });

  test.each([
    [['--max-turns', '0', '-z', 'hi', '--demo'], '--max-turns'],
    [['--provider', 'openai', '-z', 'hi'], '--model'],
    [['--in', '/no/such/dir', '-z', 'hi', '--demo'], '--in'],
    [['chat', '--format', 'xml', '-q', 'hi'], '--format'],
    [['--no-such-flag'], '--no-such-flag'],
  ])('a wrong use is a usage error: %j', async (args, named) => {
    const { stderr, code } = await box.run(args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(named) });
  });
});

describe('settings, models and the doctor', () => {
  test('config set, get and path work together; a key goes to .env and is not echoed', async () => {
    expect((await box.run(['config', 'set', 'terminal.timeout', '90'])).stdout).toContain('next turn');
    expect((await box.run(['config', 'get', 'terminal.timeout'])).stdout).toBe('90\n');
    expect((await box.run(['config', 'path'])).stdout).toBe(`${join(box.home, 'config.yaml')}\n`);
    const secret = await box.run(['config', 'set', 'OPENAI_API_KEY', 'sk-abcdefghijklmnopqrstuvwxyz']);
    expect(secret.stdout).not.toContain('sk-abcdefghijklmnopqrstuvwxyz');
    expect(readFileSync(join(box.home, '.env'), 'utf8')).toContain('sk-abcdefghijklmnopqrstuvwxyz');
    expect(readFileSync(join(box.home, 'config.yaml'), 'utf8')).not.toContain('OPENAI');
  });

  test('terminal.timeout ends a command that names no limit of its own, terminal.cwd is where commands start', async () => {
    mkdirSync(join(box.project, 'sub'));
    const server = await serve([
      callsStep({ id: 'c', name: 'terminal', arguments: '{"command":"pwd; sleep 60"}' }),
      textStep('stopped'),
    ]);
    box.configure(server.url, 'terminal:\n  timeout: 1\n  cwd: sub\n');
    await box.run(['-z', 'go']);
    const result = JSON.parse(String(messagesOf(server, 1).at(-1)?.content)) as { output: string; exit_code: number };
    expect(result).toMatchObject({ exit_code: 124, output: expect.stringContaining(join(box.project, 'sub')) });
  });

  test('model --set makes a default, model --json lists the choices', async () => {
    await serve([]);
    await box.run(['model', '--set', 'bench/other']);
    const { stdout } = await box.run(['model', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ current: { provider: 'bench', model: 'other' } });
  });

  test('doctor reports an order of rows, as text and as JSON, and exits 1 for what is wrong', async () => {
    await serve([]);
    const good = await box.run(['doctor', '--json']);
    expect(JSON.parse(good.stdout).map((row: { id: string }) => row.id)).toEqual([
      'runtime',
      'terminal',
      'config.file',
      'config.env',
      'model',
      'home',
      'state.db',
      'tools',
    ]);
    writeFileSync(join(box.home, 'state.db'), 'not a database at all, but long enough to be looked at'.repeat(50));
    const bad = await box.run(['doctor']);
    expect(bad.code).toBe(1);
    expect(bad.stdout).toMatch(/✗ state\.db/u);
    expect(await box.run(['doctor', '--only', 'modle'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('model'),
    });
  });
});

describe('secrets', () => {
  test("a key of the profile is not in a command's environment, and masked where a command prints it from elsewhere", async () => {
    const server = await serve([
      callsStep({
        id: 'c',
        name: 'terminal',
        arguments: JSON.stringify({ command: `env; echo leaked: $(cat ${join(box.dir, 'copy')})` }),
      }),
      textStep('ok'),
    ]);
    writeFileSync(join(box.dir, 'copy'), 'test-key-0123456789');
    const { stdout, stderr } = await box.run(['chat', '-q', 'go', '--oneshot'], {
      env: { OPENAI_API_KEY: 'sk-exported-0123456789' },
    });
    const seen = [stdout, stderr, server.requests[1]?.raw, readFileSync(join(box.home, 'state.db'), 'latin1')].join();
    expect(seen).toContain('leaked: ');
    expect(seen).not.toContain('test-key-0123456789');
    expect(seen).not.toContain('sk-exported-0123456789');
    expect(server.requests[1]?.headers.authorization).toBe('Bearer test-key-0123456789');
  });
});

describe('project instructions', () => {
  test('AGENTS.md of the project is in the prompt, and the prompt stays what it was when the file changes', async () => {
    const server = await serve([textStep('a'), textStep('b')]);
    mkdirSync(join(box.project, '.git'));
    writeFileSync(join(box.project, 'AGENTS.md'), 'Always use pnpm.');
    await box.run(['-z', 'one']);
    writeFileSync(join(box.project, 'AGENTS.md'), 'Always use npm.');
    await box.run(['-c', '-z', 'two']);
    expect(messagesOf(server, 0)[0]?.content).toContain('Always use pnpm.');
    expect(messagesOf(server, 1)[0]?.content).toBe(messagesOf(server, 0)[0]?.content);
  });
});

async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Waits until the store says that a call has been started. */
async function waitForRun(sandbox: Sandbox, status: string): Promise<void> {
  const { default: Sqlite } = await import('better-sqlite3');
  await waitFor(() => {
    const db = new Sqlite(join(sandbox.home, 'state.db'), { readonly: true });
    try {
      return db.prepare('SELECT 1 FROM tool_runs WHERE status = ?').get(status) !== undefined;
    } finally {
      db.close();
    }
  });
}
