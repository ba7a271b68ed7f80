import { spawn } from 'node:child_process';
import { once } from 'node:events';

const module = new URL('./closeInOrder.ts', import.meta.url).href;

/** Exit code and output of a program that closes in order and then does something. */
async function run(what: string): Promise<{ code: number | null; output: string }> {
  const source = `
    import { closeInOrder } from '${module}';
    setInterval(() => undefined, 1000);
    closeInOrder(async () => { await null; console.log('closed'); });
    ${what}
  `;
  const program = spawn(process.execPath, ['--input-type=module', '-e', source], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  program.stdout.on('data', (chunk) => (output += chunk));
  const [code] = await once(program, 'close');
  return { code, output: output.trim() };
}

test.each([
  ['a signal', `process.kill(process.pid, 'SIGTERM');`, 0],
  ['an unhandled rejection', `void Promise.reject(new Error('unexpected'));`, 1],
  ['an uncaught exception', `setTimeout(() => { throw new Error('unexpected'); });`, 1],
])(
  'a process that ends by %s closes its resources and exits with the matching code',
  async (_, what, code) => {
    expect(await run(what)).toEqual({ code, output: 'closed' });
  },
);
