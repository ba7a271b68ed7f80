import type { Identity } from '../auth/Identity.ts';
import { type Principal, type TokenFacts, Viewer } from '../auth/Viewer.ts';
import type { Installation } from '../installation/Installation.ts';
import type { Platform } from './Platform.ts';
import { RequestContext } from './RequestContext.ts';

function accepted(subject: string): Identity {
  const token = {
    subject,
    subjectType: 'user',
    installationId: 'ins_demo',
    scopes: new Set(),
  } as unknown as TokenFacts;
  return {
    kind: 'accepted',
    viewer: new Viewer(token, { state: 'active', roles: [], memberships: [] } as unknown as Principal),
  };
}

/** A context whose platform identifies when the test says so. */
function open() {
  const reads: { fresh: boolean; answer: (identity: Identity) => void }[] = [];
  const platform = {
    identify: (_: unknown, fresh: boolean) =>
      new Promise<Identity>((answer) => reads.push({ fresh, answer })),
  } as unknown as Platform;
  const context = new RequestContext(platform, {
    installation: { id: 'ins_demo' } as Installation,
    clientAddress: '',
    userAgent: '',
  });
  return { context, reads };
}

test('a request identifies its caller once, however many fields ask', async () => {
  const { context, reads } = open();
  const asked = [context.identify(), context.identify(), context.identify()];
  reads[0]?.answer(accepted('usr_1'));
  for (const identity of asked) await identity;
  await context.identify();
  expect(reads).toHaveLength(1);
});

test('a guard that needs this very moment reads once more past the cache, and never a third time', async () => {
  const { context, reads } = open();
  const first = context.identify();
  reads[0]?.answer(accepted('usr_1'));
  await first;
  const second = [context.identify(true), context.identify(true)];
  reads[1]?.answer(accepted('usr_1'));
  for (const identity of second) await identity;
  await context.identify();
  expect(reads.map(({ fresh }) => fresh)).toEqual([false, true]);
});

test('the viewer stays readable while a fresh look is under way', async () => {
  const { context, reads } = open();
  const first = context.identify();
  reads[0]?.answer(accepted('usr_1'));
  await first;
  const second = context.identify(true);
  expect(context.viewer.id).toBe('usr_1');
  reads[1]?.answer(accepted('usr_1'));
  await second;
});

test('a descended context knows the caller, also when he is identified after the descent', async () => {
  const { context, reads } = open();
  const child = context.descend();
  const asked = child.identify();
  reads[0]?.answer(accepted('usr_1'));
  await asked;
  expect([context.viewer.id, child.viewer.id, child.depth]).toEqual(['usr_1', 'usr_1', 1]);
});

test('a late cached answer does not replace a fresh one', async () => {
  const { context, reads } = open();
  const stale = context.identify();
  const fresh = context.identify(true);
  reads[1]?.answer({ kind: 'anonymous' });
  await fresh;
  reads[0]?.answer(accepted('usr_1'));
  await stale;
  expect(context.viewerOrNull).toBeNull();
});
