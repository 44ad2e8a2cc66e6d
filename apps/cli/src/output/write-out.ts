/** Writes to stdout and waits until it is handed over, so that a pipe gets everything before the process ends. A closed pipe is an end, not an error. */
export function writeOut(text: string): Promise<void> {
  if (text === '') return Promise.resolve();
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error && !('code' in error && error.code === 'EPIPE')) reject(error);
      else resolve();
    });
  });
}

export function writeJson(value: unknown): Promise<void> {
  return writeOut(`${JSON.stringify(value, null, 2)}\n`);
}
