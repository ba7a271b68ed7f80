import type { Item, ItemName } from '../world/Item.ts';
import type { World } from '../world/openWorld.ts';
import type { Who } from '../world/people.ts';
import type { Expected, Rule, Style } from './rules.ts';

/** One call of the matrix. */
export interface Cell {
  readonly world: World;
  readonly who: Who;
  readonly style: Style;
  readonly item: Item | null;
  /** Whether the design answers it: then it must have something to be answered with, as a draft to publish. */
  readonly isAnswered: boolean;
}

/** How a call is made in both styles. */
export interface Call {
  readonly variables: object;
  /** Of REST: path parameters, query and body. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Token of a user like the caller, for a call that ends the caller's session or account. */
  readonly token?: string;
}

/** One way to call a root field, with one item. */
export interface Case {
  readonly name?: string;
  readonly item?: ItemName;
  readonly rule?: Rule;
  call(cell: Cell): Call | Promise<Call>;
  /** What the design refuses behind the guard; null for nothing. */
  meaning?(cell: Cell): Exclude<Expected, 'answered'> | null;
  /** What the answer must be besides being one; for REST the body, for GraphQL the root field's value. */
  check?(data: any, cell: Cell): void;
}

/** One root field and every REST method that runs it. */
export interface Operation {
  /** As in `Query.listing`. */
  readonly field: string;
  readonly rule: Rule;
  /** "Up": a sign-in of the last ten minutes. */
  readonly stepUp?: true;
  /** answers those, too, whose role demands a second factor that they have not shown. */
  readonly withoutMfa?: true;
  /** Its responses may contain the address or the number of another user. */
  readonly showsPeople?: true;
  /** Scope that opens it to the API client of a dealer; `*` to any of them. None: people only. */
  readonly scope?: string;
  /** Status of success by REST method and path. */
  readonly routes?: Readonly<Record<string, number>>;
  /** What GraphQL asks of the field. */
  readonly selection: string;
  /** Default: one call without input. */
  readonly cases?: readonly Case[];
  check?(data: any, cell: Cell): void;
}

const withoutInput: readonly Case[] = [{ call: () => ({ variables: {} }) }];

export const casesOf = ({ cases = withoutInput }: Operation): readonly Case[] => cases;

/** The key of a call that must not happen twice, as REST carries it. */
export function keyHeader({ variables }: Pick<Call, 'variables'>): (readonly [string, string])[] {
  const { input } = variables as { input?: { idempotencyKey?: string } };
  return input?.idempotencyKey === undefined ? [] : [['idempotency-key', input.idempotencyKey]];
}
