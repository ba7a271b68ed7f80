import { Agent, request as startRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createInstallation } from '../../subgraphs/identity/createInstallation.ts';
import { openProcesses, type Processes } from '../support/stack/openProcesses.ts';

const host = 'shop.localhost';
const patienceMs = 120_000;

let processes: Processes;

beforeAll(async () => {
  processes = await openProcesses();
  await createInstallation({ name: 'Shop', hosts: [host], baseUrl: `http://${host}` }, { now: Date.now });
}, patienceMs);
afterAll(() => processes.close(), patienceMs);

/** Outcome of one request: its status, `refused` without a connection, or how it was interrupted. */
function ask(url: string, agent: Agent, route: string): Promise<number | string> {
  return new Promise((settled) => {
    const { port } = new URL(url);
    const call = startRequest(
      { host: '127.0.0.1', port, agent, path: route, headers: { host } },
      (answer) => {
        answer.on('error', () => settled('cut within the answer'));
        answer.on('end', () => settled(answer.complete ? (answer.statusCode ?? 0) : 'cut within the answer'));
        answer.resume();
      },
    );
    call.on('error', (error: NodeJS.ErrnoException) =>
      settled(error.code === 'ECONNREFUSED' ? 'refused' : `cut: ${error.code}`),
    );
    call.end();
  });
}

test(
  'a process that receives SIGTERM under load is not ready at once, interrupts no request and exits with 0',
  async () => {
    const program = await processes.start();
    // Below the limit of concurrent requests, so that none is refused.
    const count = 12;
    const agent = new Agent({ keepAlive: true, maxSockets: count });
    const probe = new Agent({ keepAlive: true, maxSockets: 1 });
    const fates: (number | string)[] = [];
    let isAsked = false;
    const client = async (): Promise<void> => {
      for (;;) {
        const fate = await ask(program.url, agent, '/api/v1/catalog/listings');
        fates.push(fate);
        if (fate === 'refused') return;
        if (isAsked) await pause(5);
      }
    };
    while ((await ask(program.url, probe, '/health/ready')) !== 200) await pause(50);
    const clients = Array.from({ length: count }, client);
    while (fates.length < 100) await pause(20);
    isAsked = true;
    process.kill(program.pid, 'SIGTERM');
    const ended = program.stop();
    // Repeated, because the signal takes a moment to arrive.
    let ready = await ask(program.url, probe, '/health/ready');
    while (ready === 200) ready = await ask(program.url, probe, '/health/ready');
    const code = await ended;
    await Promise.all(clients);
    expect([503, 'refused']).toContain(ready);
    expect(code).toBe(0);
    const cut = fates.filter((fate) => typeof fate === 'string' && fate !== 'refused');
    expect(cut).toEqual([]);
    expect(new Set(fates.filter((fate) => typeof fate === 'number' && fate >= 500))).toEqual(new Set());
    agent.destroy();
    probe.destroy();
  },
  patienceMs,
);

test(
  'a process with DRAIN_SECONDS answers new connections after SIGTERM, while it reports not ready',
  async () => {
    const program = await processes.start({ DRAIN_SECONDS: '3' });
    const agent = new Agent();
    process.kill(program.pid, 'SIGTERM');
    const seen: (number | string)[] = [];
    while (seen.at(-1) !== 503 && seen.at(-1) !== 'refused') {
      seen.push(await ask(program.url, agent, '/health/ready'));
      await pause(20);
    }
    expect(seen.at(-1)).toBe(503);
    expect(await ask(program.url, agent, '/api/v1/catalog/listings')).toBe(200);
    expect(await program.stop()).toBe(0);
  },
  patienceMs,
);
