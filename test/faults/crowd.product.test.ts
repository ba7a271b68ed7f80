import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { openProcesses, type Processes } from '../support/openProcesses.ts';

const password = 'a-demo-password';
const patienceMs = 120_000;

let processes: Processes;
beforeAll(async () => {
  processes = await openProcesses();
}, patienceMs);
afterAll(() => processes.close(), patienceMs);

async function signIn(port: string): Promise<string> {
  const grant = { grant_type: 'password', username: 'dealer@demo.example', password };
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/auth/token`, {
    method: 'POST',
    body: new URLSearchParams(grant),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** Sends `GET /api/v1/me` at once, each on a connection of its own; counts the answers by status. */
async function sendAtOnce(port: string, token: string, count: number): Promise<Record<string, number>> {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const headers = { authorization: `Bearer ${token}` };
  const one = (): Promise<number> =>
    new Promise((answered, failed) => {
      request({ host: '127.0.0.1', port, agent, path: '/api/v1/me', headers }, (response) => {
        response.resume().on('end', () => answered(response.statusCode ?? 0));
      })
        .on('error', failed)
        .end();
    });
  const statuses: Record<string, number> = {};
  for (const status of await Promise.all(Array.from({ length: count }, one)))
    statuses[status] = (statuses[status] ?? 0) + 1;
  agent.destroy();
  return statuses;
}

test(
  'a process that has just started, and a warm one after a quiet moment, answer 200 requests that arrive at once',
  async () => {
    const settings = { DEMO: 'on', RATE_LIMITS: 'off', DEMO_PASSWORD: password, INSTALLATION_ID: 'ins_demo' };
    const { url } = await processes.start(settings);
    const { port } = new URL(url);
    const token = await signIn(port);
    expect(await sendAtOnce(port, token, 200)).toEqual({ 200: 200 });
    for (let round = 0; round < 5; round++) await sendAtOnce(port, token, 200);
    for (const count of [24, 200, 24, 200]) {
      await pause(1500);
      expect(await sendAtOnce(port, token, count)).toEqual({ 200: count });
    }
  },
  patienceMs,
);
