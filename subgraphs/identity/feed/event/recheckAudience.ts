import type { Changes, RecordChange, WatchedCollection } from '../../../platform/mongo/watchChanges.ts';
import type { Audience, Listener } from './Audience.ts';

/** Interval of rechecks of all listeners while this process receives no changes from the database. */
const recheckMs = 5000;
/** Number of listeners whose identity is checked concurrently. */
const checkedAtOnce = 16;
const collections = ['sessions', 'users', 'api_clients', 'operators', 'dealers'] as const;

/** Rechecks the identity of listeners when it may have changed, until the returned function is called. */
export function recheckAudience(audience: Audience, changes: Changes): () => void {
  const doubtful = new Set<Listener>();
  let isChecking = false;
  /** Rechecks listeners, a few concurrently regardless of their number. */
  const recheck = async (): Promise<void> => {
    while (doubtful.size > 0) {
      const some = [...doubtful].slice(0, checkedAtOnce);
      for (const one of some) doubtful.delete(one);
      await Promise.all(some.filter((one) => audience.has(one)).map((one) => one.recheck()));
    }
  };
  const doubt = (isMeant: (listener: Listener) => boolean): void => {
    for (const listener of audience) if (isMeant(listener)) doubtful.add(listener);
    if (isChecking || doubtful.size === 0) return;
    isChecking = true;
    void recheck().finally(() => (isChecking = false));
  };
  const timer = setInterval(() => changes.areWatched || doubt(() => true), recheckMs).unref();
  const stops = collections.map((collection) =>
    changes.listen(collection, {
      onChange: (change) => {
        if (!isMere(collection, change)) doubt((listener) => listener.isTouchedBy(collection, change.id));
      },
      onGap: () => changes.areWatched && doubt(() => true),
    }),
  );
  return () => {
    clearInterval(timer);
    for (const stop of stops) stop();
  };
}

/** Members that every sign-in and refresh writes, and that do not affect an identity. */
const unseen: ReadonlySet<string> = new Set(['lastSignInAt', 'lastUsedAt', 'updatedAt', 'version']);
/** Matches the members and the state of a dealer. */
const ofMembers = /^(?:members|state)(?:\.|$)/;

function isMere(collection: WatchedCollection, { operation, members }: RecordChange): boolean {
  if (operation !== 'update') return operation === 'insert';
  return collection === 'dealers'
    ? !members.some((name) => ofMembers.test(name))
    : members.every((name) => unseen.has(name));
}
