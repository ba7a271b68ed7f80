import type { Installation } from '../installation/Installation.ts';
import type { Identity } from '../principal/Identity.ts';
import { type Principal, type TokenFacts, Viewer } from '../principal/Viewer.ts';
import type { Platform } from './Platform.ts';
import { RequestContext } from './RequestContext.ts';

function accepted(subject: string): Identity {
  const token = { subject, subjectType: 'user', installationId: 'ins_demo', scopes: new Set() };
  const principal = { state: 'active', roles: [], memberships: [] } as unknown as Principal;
  return { kind: 'accepted', viewer: new Viewer(token as unknown as TokenFacts, principal) };
}

/** A context whose platform identifies the caller when the test answers a read. */
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

test('a request identifies its caller once, however many fields need it', async () => {
  const { context, reads } = open();
  const asked = [context.identify(), context.identify(), context.identify()];
  reads[0]?.answer(accepted('usr_1'));
  for (const identity of asked) await identity;
  await context.identify();
  expect(reads).toHaveLength(1);
});

test('a guard that requires the current caller reads once more without the cache, and the viewer stays readable', async () => {
  const { context, reads } = open();
  const first = context.identify();
  reads[0]?.answer(accepted('usr_1'));
  await first;
  const second = [context.identify(true), context.identify(true)];
  expect(context.viewer.id).toBe('usr_1');
  reads[1]?.answer(accepted('usr_1'));
  for (const identity of second) await identity;
  await context.identify();
  expect(reads.map(({ fresh }) => fresh)).toEqual([false, true]);
});

test('a child context that identifies the caller shares it with its parent', async () => {
  const { context, reads } = open();
  const child = context.descend();
  const asked = child.identify();
  reads[0]?.answer(accepted('usr_1'));
  await asked;
  expect([context.viewer.id, child.viewer.id, child.depth]).toEqual(['usr_1', 'usr_1', 1]);
});

test('a cached caller that is read late does not replace a fresh one', async () => {
  const { context, reads } = open();
  const asked = [context.identify(), context.identify(true)];
  reads[1]?.answer({ kind: 'anonymous' });
  await asked[1];
  reads[0]?.answer(accepted('usr_1'));
  await asked[0];
  expect(context.viewerOrNull).toBeNull();
});
