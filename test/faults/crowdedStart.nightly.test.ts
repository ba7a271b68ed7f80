import { setTimeout as pause } from 'node:timers/promises';
import { sendAtOnce } from '../support/sendAtOnce.ts';
import { openProcesses, type Processes } from '../support/stack/openProcesses.ts';

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

test(
  'a process answers 200 concurrent requests right after its start and after idle periods',
  async () => {
    const settings = {
      DEMO: 'on',
      DEMO_SAMPLES: 'off',
      RATE_LIMITS: 'off',
      DEMO_PASSWORD: password,
      INSTALLATION_ID: 'ins_demo',
    };
    const { url } = await processes.start(settings);
    const { port } = new URL(url);
    const headers = { authorization: `Bearer ${await signIn(port)}` };
    const send = (count: number) => sendAtOnce({ port, headers, count });
    expect(await send(200)).toEqual({ 200: 200 });
    for (const count of [200, 24, 200]) {
      await pause(1000);
      expect(await send(count)).toEqual({ 200: count });
    }
  },
  patienceMs,
);
