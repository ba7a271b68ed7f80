import { randomUUID } from 'node:crypto';
import type { Identity } from '../auth/Identity.ts';
import type { Viewer } from '../auth/Viewer.ts';
import type { Installation } from '../installation/Installation.ts';
import type { Platform } from './Platform.ts';

/** Where a request comes from; everything the router resolved before any subgraph runs. */
export interface RequestOrigin {
  installation: Installation;
  /** UUID of the request, in every answer, log line and audit event. */
  requestId?: string;
  /** Address of the client after the configured number of proxies. */
  clientAddress: string;
  userAgent: string;
  /** 0 from outside, 1 when a subgraph asks the owner of a record; deeper is refused. */
  depth?: number;
  /** `Authorization` values as they arrived: one, several (refused), or none. */
  authorization?: string | string[] | undefined;
  signal?: AbortSignal | undefined;
}

/** Facts of the answer that are not data: the adapters turn them into headers. */
export interface AnswerFacts {
  idempotentReplayed?: boolean;
  /** Values of `RateLimit` and `RateLimit-Policy` (IETF draft), already formatted. */
  rateLimit?: string;
  rateLimitPolicy?: string;
}

/**
 * One request, shared by every subgraph that runs in this process: where it comes from, who calls, what was already
 * loaded. It lives as long as the request.
 */
export class RequestContext {
  readonly platform: Platform;
  readonly installation: Installation;
  readonly requestId: string;
  readonly clientAddress: string;
  readonly userAgent: string;
  readonly depth: number;
  readonly authorization: string | string[] | undefined;
  readonly signal: AbortSignal | undefined;
  readonly answer: AnswerFacts = {};
  #loaders = new Map<unknown, unknown>();
  #identity: Identity | Promise<Identity> | undefined;
  #fresh = false;

  constructor(platform: Platform, origin: RequestOrigin) {
    this.platform = platform;
    this.installation = origin.installation;
    this.requestId = origin.requestId ?? randomUUID();
    this.clientAddress = origin.clientAddress;
    this.userAgent = origin.userAgent;
    this.depth = origin.depth ?? 0;
    this.authorization = origin.authorization;
    this.signal = origin.signal;
  }

  /**
   * The context with which one subgraph asks another one: same request, same identity, one level deeper. Whoever is
   * asked may not ask on, so questions cannot run in circles.
   */
  descend(): RequestContext {
    const context = new RequestContext(this.platform, { ...this, depth: this.depth + 1 });
    context.#identity = this.#identity;
    context.#fresh = this.#fresh;
    context.#loaders = this.#loaders;
    return context;
  }

  get installationId(): string {
    return this.installation.id;
  }

  /**
   * Who calls; verified at most once per request, and once more past the cache when a guard needs the state of this
   * very moment.
   */
  identify(fresh = false): Identity | Promise<Identity> {
    if (this.#identity === undefined || (fresh && !this.#fresh)) {
      this.#fresh ||= fresh;
      this.#identity = this.platform.identify(this.authorization, fresh);
      if (this.#identity instanceof Promise) {
        this.#identity = this.#identity.then((identity) => {
          this.#identity = identity;
          return identity;
        });
      }
    }
    return this.#identity;
  }

  /** The accepted caller, once `identify` is done; null for strangers. Guarded fields read `viewer` instead. */
  get viewerOrNull(): Viewer | null {
    const identity = this.#identity;
    return identity && !(identity instanceof Promise) && identity.kind === 'accepted'
      ? identity.viewer
      : null;
  }

  /** The caller of a field whose guard demands one. */
  get viewer(): Viewer {
    const viewer = this.viewerOrNull;
    if (!viewer) throw new Error('A resolver read the viewer of a field whose guard does not demand one.');
    return viewer;
  }

  /** The request's own instance of a loader, made on first use; the factory is the key. */
  loader<T>(factory: (context: RequestContext) => T): T {
    let loader = this.#loaders.get(factory) as T | undefined;
    if (loader === undefined) {
      loader = factory(this);
      this.#loaders.set(factory, loader);
    }
    return loader;
  }
}
