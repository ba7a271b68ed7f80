import { randomUUID } from 'node:crypto';
import type { Installation } from '../installation/Installation.ts';
import type { Identity } from '../principal/Identity.ts';
import type { Viewer } from '../principal/Viewer.ts';
import { type Attempt, attemptWithoutKey } from './Attempt.ts';
import type { RateNote } from './Budget.ts';
import type { Platform } from './Platform.ts';

/** Origin of a request: everything that the router resolves before a subgraph runs. */
export interface RequestOrigin {
  installation: Installation;
  /** UUID of the request, in every answer, log line and audit event. */
  requestId?: string;
  /** Address of the client after the configured number of proxies. */
  clientAddress: string;
  userAgent: string;
  /** Name that the client states; see `readClientName`. */
  clientName?: string | undefined;
  /** Method and path of the REST route; undefined for GraphQL. */
  route?: string | undefined;
  /** 0 for an external request, 1 for a question of a subgraph to the owner of a record. Higher values are refused. */
  depth?: number;
  /** `Authorization` values as received: one, several (refused), or none. */
  authorization?: string | string[] | undefined;
  signal?: AbortSignal | undefined;
  /** Whether the request accepts partial data, so that a refused nested field is not recorded as a denial. */
  partial?: boolean;
  /** Whether the answer goes to another engine, which forwards errors to the client unchanged. */
  forEngine?: boolean;
  /** The seed of the demonstration. No request can set it: it is in no header. */
  skipsRateLimits?: boolean;
}

/** Facts of the answer that are not data: the adapters turn them into headers. */
export interface AnswerFacts {
  idempotentReplayed?: boolean;
  /** Remaining budgets to which the request was charged. */
  rates?: RateNote[];
  /** Durations of parts of the request in milliseconds; see `timed`. */
  timings?: Record<string, number>;
}

/**
 * Context of a request, shared by all subgraphs of the process: origin, caller and loaded records. Its lifetime is that
 * of the request.
 */
export class RequestContext {
  readonly platform: Platform;
  readonly installation: Installation;
  readonly requestId: string;
  readonly clientAddress: string;
  readonly userAgent: string;
  readonly clientName: string | undefined;
  readonly route: string | undefined;
  readonly depth: number;
  readonly authorization: string | string[] | undefined;
  readonly signal: AbortSignal | undefined;
  readonly partial: boolean;
  readonly forEngine: boolean;
  readonly skipsRateLimits: boolean;
  readonly answer: AnswerFacts = {};
  /** Run of the mutation that this context belongs to; provides the ids of created records. */
  readonly attempt: Attempt = attemptWithoutKey;
  /** Deadline of the current execution (`performance.now()`); set by the router. */
  deadlineAt: number | undefined;
  // Private by TypeScript instead of `#`, because Apollo Server passes resolvers a clone of its context, which loses
  // `#` members.
  private loaders = new Map<unknown, unknown>();
  private caller: Caller = { settled: undefined, pending: undefined, fresh: false };

  constructor(platform: Platform, origin: RequestOrigin) {
    this.platform = platform;
    this.installation = origin.installation;
    this.requestId = origin.requestId ?? randomUUID();
    this.clientAddress = origin.clientAddress;
    this.userAgent = origin.userAgent;
    this.clientName = origin.clientName;
    this.route = origin.route;
    this.depth = origin.depth ?? 0;
    this.authorization = origin.authorization;
    this.signal = origin.signal;
    this.partial = origin.partial ?? false;
    this.forEngine = origin.forEngine ?? false;
    this.skipsRateLimits = origin.skipsRateLimits ?? false;
  }

  /**
   * Returns the context for a query to another subgraph: the same request and identity, one level deeper. The queried
   * subgraph cannot query further, so queries cannot form a circle.
   */
  descend(): RequestContext {
    const context = new RequestContext(this.platform, { ...this, depth: this.depth + 1 });
    context.caller = this.caller;
    context.loaders = this.loaders;
    return context;
  }

  /**
   * Returns the context of one event of a subscription. Identity and loaded records are read again, because the request
   * lasts as long as the subscription.
   */
  forEvent(): RequestContext {
    return new RequestContext(this.platform, this);
  }

  /** Returns the context of a run under an idempotency key: the same request, caller, loaders and response. */
  forAttempt(attempt: Attempt): RequestContext {
    return Object.assign(new RequestContext(this.platform, this), this, { attempt });
  }

  get installationId(): string {
    return this.installation.id;
  }

  /**
   * Returns the caller. It is verified at most once for each request, and once more past the cache if a guard needs the
   * current state.
   */
  identify(fresh = false): Identity | Promise<Identity> {
    const caller = this.caller;
    if (caller.settled && (caller.fresh || !fresh)) return caller.settled;
    if (caller.pending && (caller.pending.fresh || !fresh)) return caller.pending.identity;
    const identity = this.platform.identify(this.authorization, fresh);
    if (!(identity instanceof Promise)) return settle(caller, identity, fresh);
    const pending = { fresh, identity: identity.then((found) => settle(caller, found, fresh)) };
    caller.pending = pending;
    return pending.identity;
  }

  /** The accepted caller, once `identify` is done; null for strangers. Guarded fields read `viewer` instead. */
  get viewerOrNull(): Viewer | null {
    const { settled } = this.caller;
    return settled?.kind === 'accepted' ? settled.viewer : null;
  }

  /** Returns the caller of a field whose guard requires one. */
  get viewer(): Viewer {
    const viewer = this.viewerOrNull;
    if (!viewer) throw new Error('A resolver read the viewer of a field whose guard does not demand one.');
    return viewer;
  }

  /** Returns the request's own instance of a loader, created on first use; the factory is the key. */
  loader<T>(factory: (context: RequestContext) => T): T {
    let loader = this.loaders.get(factory) as T | undefined;
    if (loader === undefined) {
      loader = factory(this);
      this.loaders.set(factory, loader);
    }
    return loader;
  }

  /** Drops the loaders of some factories with everything they have loaded. */
  dropLoaders(isDropped: (factory: unknown) => boolean): void {
    for (const factory of this.loaders.keys()) if (isDropped(factory)) this.loaders.delete(factory);
  }
}

/** Caller of a request if it is known; shared by the contexts of the request. */
interface Caller {
  /** Remains readable while a fresh read is in progress. */
  settled: Identity | undefined;
  pending: { fresh: boolean; identity: Promise<Identity> } | undefined;
  /** Whether `settled` was read past the cache. */
  fresh: boolean;
}

function settle(caller: Caller, identity: Identity, fresh: boolean): Identity {
  if (caller.settled === undefined || fresh || !caller.fresh) {
    caller.settled = identity;
    caller.fresh = fresh;
  }
  return identity;
}
