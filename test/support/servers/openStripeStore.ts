import { balanceOf } from './stripeMoney.ts';

/** An object of the account, as in the API. */
export interface StripeObject {
  id: string;
  object: string;
  [member: string]: any;
}

/** A request that Stripe refuses. */
export class Refused extends Error {
  readonly status: number;
  readonly error: object;
  constructor(status: number, error: object) {
    super(JSON.stringify(error));
    this.status = status;
    this.error = error;
  }
}

/** A call of the API, with `path` without the version and parameters as nested objects. */
export interface StripeCall {
  method: string;
  path: string[];
  params: any;
  /** Connected account of the call. Null for the platform. */
  account: string | null;
}

/** The objects of an account. */
export interface StripeStore {
  make(prefix: string, object: string, members: object): StripeObject;
  /** @throws Refused `resource_missing` */
  find(id: string, object?: string): StripeObject;
  change(id: string, members: object): StripeObject;
  all(object: string): StripeObject[];
  /** Balance of a connected account, or of the platform (null), in Stripe's minor units. */
  balance(account: string | null, currency: string): number;
  now(): number;
}

/** The error for a missing object. */
export function missing(id: string): Refused {
  return new Refused(404, { type: 'invalid_request_error', code: 'resource_missing', message: id });
}

/** Opens an empty store. */
export function openStripeStore(now: () => number): {
  objects: Map<string, StripeObject>;
  store: StripeStore;
} {
  const objects = new Map<string, StripeObject>();
  let last = 0;
  const store: StripeStore = {
    now,
    make(prefix, object, members) {
      const id = `${prefix}_${(last += 1)}`;
      const made = { id, object, created: Math.floor(now() / 1000), livemode: false, ...members };
      objects.set(id, made);
      return made;
    },
    find(id, object) {
      const found = objects.get(id);
      if (!found || (object !== undefined && found.object !== object)) throw missing(id);
      return found;
    },
    change(id, members) {
      objects.set(id, { ...store.find(id), ...members });
      return store.find(id);
    },
    all: (object) => [...objects.values()].filter((one) => one.object === object),
    balance: (account, currency) => balanceOf(objects.values(), account, currency),
  };
  return { objects, store };
}
