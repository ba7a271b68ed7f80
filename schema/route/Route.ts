import type { DocumentNode } from 'graphql';
import type { ErrorCode } from '../errorCodes.ts';

/** A: identity-guarded API, B: search-optimization editor API, C: translation API. */
export type InterfaceName = 'A' | 'B' | 'C';

/** Methods that a route or an adapter may state. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A segment of a path template: a literal text, or the name of a parameter. */
export type Segment = { readonly literal: string } | { readonly parameter: string };

/** Members of `@parameter` of a variable. */
export interface ParameterOptions {
  readonly name?: string;
  readonly prefix?: string;
  readonly explode: boolean;
  readonly description?: string;
  /** Variable from whose parameter this variable is derived; it is not a parameter itself. */
  readonly presenceOf?: string;
  readonly textOf?: string;
  readonly attributeOf?: string;
}

/** A `@route` of an operation document: a REST method and the operation it runs. */
export interface Route {
  /** Document, relative to the directory that was read, with `/`. */
  readonly file: string;
  readonly interface: InterfaceName;
  readonly method: Method;
  /** Template as written, `{rest_root}` included. */
  readonly path: string;
  /** Names of the path's parameters, in order, without `rest_root`. */
  readonly pathParameters: readonly string[];
  /** Name of the operation, of its only root field and of the file. */
  readonly operationName: string;
  readonly kind: 'query' | 'mutation';
  /** The operation and its fragments without `@route` and `@parameter`: what the gateway executes. */
  readonly document: DocumentNode;
  /** Options by name of the variable. */
  readonly parameterOptions: ReadonlyMap<string, ParameterOptions>;
  readonly status: number;
  /** Path in `data` of the boolean that decides between `status` and `otherwise`. */
  readonly created?: readonly string[];
  readonly otherwise: number;
  /** Path in `data` of the body. */
  readonly result?: readonly string[];
  readonly list: boolean;
  readonly meta: readonly string[];
  /** Whether the body also contains the members next to the list. */
  readonly within: boolean;
  /** Whether the list is also available as `text/csv`. */
  readonly csv: boolean;
  /** Whether the parameter `format` selects it, with priority over `Accept`. */
  readonly formatParameter: boolean;
  /** Name of the subscription that continues the list. */
  readonly stream?: string;
  readonly spread?: string;
  /** Paths, in the result or in each entry of a list, of objects whose members replace those next to them. */
  readonly overlay: readonly (readonly string[])[];
  /** Path in the result of the tag for `Content-Language`. */
  readonly contentLanguage?: readonly string[];
  readonly location?: string;
  /** Path in the body of the version. */
  readonly etag?: readonly string[];
  readonly cache?: string;
  readonly vary: readonly string[];
  readonly snakeCase: boolean;
  readonly form: boolean;
  /** Name of the operation that completes an upload, if the body may be a form with a file. */
  readonly upload?: string;
  readonly basicClient: boolean;
  /** Members of `$input` that may say `cookie` for the refresh token of the browser's cookie. */
  readonly refreshCookie: readonly string[];
  readonly omitNull: boolean;
  readonly ignoreAuthorization: boolean;
  readonly partial: boolean;
  /** The mutation that admits a file as the body, and the media types of such a file. */
  readonly fileBody?: { readonly field: string; readonly types: readonly string[] };
  /** Members of `$input` that the query may carry instead of the body. */
  readonly queryMembers: readonly string[];
  readonly errors: readonly ErrorCode[];
  readonly tag: string;
  readonly summary?: string;
  /** Reason of the route's deprecation, with its days. */
  readonly deprecated?: string;
  /** Example answer, parsed. */
  readonly example?: unknown;
}

/** Error in the route documents: file and message. */
export interface RouteFinding {
  readonly file: string;
  readonly message: string;
}

/** The route documents do not form a contract; the message lists every finding with its file. */
export class InvalidRoutes extends Error {
  readonly findings: readonly RouteFinding[];

  constructor(findings: readonly RouteFinding[]) {
    super(findings.map(({ file, message }) => `${file}: ${message}`).join('\n'));
    this.name = 'InvalidRoutes';
    this.findings = findings;
  }
}
