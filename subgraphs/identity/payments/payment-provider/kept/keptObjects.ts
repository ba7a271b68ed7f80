import { createHash, randomBytes } from 'node:crypto';
import type { ClientSession, UpdateQuery } from 'mongoose';
import { insertOnce } from '../../../../platform/installation/insertOnce.ts';
import { scoped } from '../../../../platform/installation/scoped.ts';
import { ProviderFailure } from '../ProviderFailure.ts';
import { ProviderObjectModel, type ProviderObjectRecord } from './model.ts';

/** Members of a new object. */
type NewObject = Pick<ProviderObjectRecord, 'kind' | 'ownId' | 'status'> & Partial<ProviderObjectRecord>;

/** The objects of one provider in one installation. */
export interface KeptObjects {
  /** Creates the object, or returns the one that an earlier call created. */
  make(object: NewObject, options?: { withSecret?: boolean }): Promise<ProviderObjectRecord>;
  find(ref: string): Promise<ProviderObjectRecord | null>;
  /**
   * Returns an object.
   *
   * @throws ProviderFailure `missing`
   */
  read(ref: string, kind: ProviderObjectRecord['kind']): Promise<ProviderObjectRecord>;
  /** Updates the object if it matches the filter; otherwise returns null. */
  change(
    ref: string,
    filter: object,
    update: UpdateQuery<ProviderObjectRecord>,
    session?: ClientSession,
  ): Promise<ProviderObjectRecord | null>;
  /** Returns the payment with this refund. */
  findByRefund(ref: string): Promise<ProviderObjectRecord | null>;
  findBySecret(clientSecret: string): Promise<ProviderObjectRecord | null>;
  /** Returns the id of the object for a record. */
  refOf(kind: string, ownId: string): string;
}

/**
 * Returns the stored objects of a provider.
 *
 * @param prefix of the ids, as in `sbx`
 */
export function keptObjects(prefix: string, { installationId, now }: KeptOptions): KeptObjects {
  const objects = scoped(ProviderObjectModel, installationId);
  const refOf = (kind: string, ownId: string): string => {
    const digest = createHash('sha256').update(JSON.stringify([installationId, kind, ownId]));
    return `${prefix}_${kind}_${digest.digest('hex').slice(0, 32)}`;
  };
  return {
    refOf,
    async make(object, { withSecret = false } = {}) {
      const _id = refOf(object.kind, object.ownId);
      const clientSecret = withSecret ? `${_id}_secret_${randomBytes(24).toString('base64url')}` : null;
      const made = { ...blank, ...object, _id, clientSecret, createdAt: new Date(now()) };
      return (await insertOnce(objects, made)).record;
    },
    find: (ref) => objects.findOne({ _id: ref }),
    async read(ref, kind) {
      const found = await objects.findOne({ _id: ref, kind });
      if (!found) throw new ProviderFailure('missing', 'resource_missing', `There is no ${kind} "${ref}".`);
      return found;
    },
    change: (ref, filter, update, session) =>
      objects.findOneAndUpdate({ ...filter, _id: ref }, update, { session }),
    findByRefund: (ref) => objects.findOne({ 'refunds.ref': ref }),
    findBySecret: (clientSecret) => objects.findOne({ clientSecret }),
  };
}

/** Installation and clock of the objects. */
export interface KeptOptions {
  installationId: string;
  now: () => number;
}

const blank = {
  amount: 0,
  currency: '',
  amountCaptured: 0,
  refunds: [],
  card: null,
  refusal: null,
  bookedBy: null,
  settlesAt: null,
  returnUrl: null,
} satisfies Partial<ProviderObjectRecord>;
