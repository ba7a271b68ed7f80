import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { storeAcknowledgement } from '../../../test/authorization/storeAi.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { opensFor } from '../ai-acknowledgement/acknowledgements.ts';
import { firstSettings } from '../ai-settings/aiSettings.ts';
import { AiSettingsModel } from '../ai-settings/model.ts';
import { type Audits, openAudits } from './fixture/openAudits.ts';

let audits: Audits;
let provider: Server;
let calls = 0;
/** Requests that leave this process by HTTP, whoever makes them and wherever they go. */
let requests = 0;
const count = (): void => void (requests += 1);
const channels = ['undici:request:create', 'http.client.request.start'] as const;

beforeAll(async () => {
  audits = await openAudits();
  provider = createServer((_, response) => {
    calls += 1;
    response.end('{}');
  });
  await new Promise<void>((ready) => provider.listen(0, '127.0.0.1', ready));
  for (const channel of channels) subscribe(channel, count);
});
afterAll(async () => {
  for (const channel of channels) unsubscribe(channel, count);
  await new Promise((closed) => provider.close(closed));
  await audits.stack.close();
});

/** AI is switched on and acknowledged, and its provider is the stub. */
async function switchOn(baseUrl: string): Promise<void> {
  const { id } = audits.stack.demo;
  await scoped(AiSettingsModel, id).insert({
    ...firstSettings(id),
    enabled: true,
    baseUrl,
    model: 'small',
    apiKey: { sealed: 'unreadable', last4: null },
  });
  const owner = { scope: 'installation', userId: null } as const;
  await storeAcknowledgement(id, owner, { opens: opensFor(owner, new URL(baseUrl).host) });
}

test('starts, batches and retries ask nobody by HTTP: a provider beside them is called 0 times', async () => {
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/`;
  await switchOn(url);
  await fetch(url);
  // The stub answers, and the count would see a call of it.
  expect([calls, requests]).toEqual([1, 1]);
  const objects = Array.from({ length: 7 }, () => audits.put());
  const job = await audits.startFresh(objects);
  const { job: after, aiUsed } = await audits.ran(job.id, job.nextItemIds);
  await audits.ran(job.id, after.nextItemIds);
  const again = await audits.retry({ jobId: job.id, scope: 'ITEMS', itemIds: job.nextItemIds });
  expect(again.errors).toBeUndefined();
  const end = await audits.ran(job.id, job.nextItemIds);
  expect([aiUsed, end.aiUsed, end.job.state]).toEqual([false, false, 'COMPLETED']);
  await audits.cancel({ jobId: (await audits.startFresh(objects)).id });
  await audits.stack.runJob('seo.audit-jobs');
  expect([calls, requests]).toEqual([1, 1]);
});

const imports = /^(?:import|export)(?! type\b)[^;]*?from\s*'(\.[^']+\.ts)'|import\('(\.[^']+\.ts)'\)/gm;

/** Files that a file imports, and those that they import; types alone lead nowhere. */
function reachable(file: string, known: Set<string>): void {
  if (known.has(file)) return;
  known.add(file);
  for (const [, named, lazy] of readFileSync(file, 'utf8').matchAll(imports)) {
    const target = path.resolve(path.dirname(file), named ?? lazy ?? '');
    if (existsSync(target)) reachable(target, known);
  }
}

test('no path of imports leads from the audit jobs to anything of AI', () => {
  const folder = import.meta.dirname;
  const files = globSync('*.ts', { cwd: folder }).filter((file) => !file.endsWith('.test.ts'));
  const known = new Set<string>();
  for (const file of files) reachable(path.join(folder, file), known);
  const names = [...known].map((file) => path.relative(path.join(folder, '..'), file));
  expect(names).toContain('snapshot/takeSnapshot.ts');
  expect(names).toContain('engine/analyze.ts');
  expect(names.filter((name) => /^ai(-|\/)/.test(name))).toEqual([]);
});
