import { createConnection } from 'node:net';
import { parseArgs } from 'node:util';
import { lineTransport } from '@hermes/host/rpc';
import { type BackendConnection, runTui } from '../index.ts';

/** The interface as a program, with a backend that listens on a socket: what tests run in a terminal. */
const { values } = parseArgs({
  options: {
    socket: { type: 'string', default: '' },
    cwd: { type: 'string', default: '/home/user/project' },
    resume: { type: 'string' },
    prompt: { type: 'string' },
    language: { type: 'string', default: 'en' },
    profile: { type: 'string', default: 'default' },
    'no-color': { type: 'boolean', default: false },
  },
});

function connect(): BackendConnection {
  const socket = createConnection(values.socket);
  socket.on('error', () => undefined);
  return {
    transport: lineTransport(socket, socket),
    kill: () => socket.destroy(),
    onExit: (listener) => {
      socket.once('close', () => listener('exit 1'));
    },
  };
}

process.on('SIGUSR2', () => {
  throw new Error('a planted error');
});

const { exitCode } = await runTui({
  connect,
  cwd: values.cwd,
  version: '1.0.0',
  profile: values.profile,
  language: values.language,
  stdin: process.stdin,
  stdout: process.stdout,
  noColor: values['no-color'],
  ...(values.resume === undefined ? {} : { resume: values.resume }),
  ...(values.prompt === undefined ? {} : { initialPrompt: values.prompt }),
});
process.exitCode = exitCode;
