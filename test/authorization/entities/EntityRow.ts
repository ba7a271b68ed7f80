import type { Rule } from '../matrix/rules.ts';
import type { Item, ItemName } from '../world/Item.ts';
import type { World } from '../world/openWorld.ts';
import type { Who } from '../world/people.ts';

/** One cell under `_entities`. */
export interface EntityCell {
  readonly world: World;
  readonly who: Who;
  readonly item: Item;
}

/** Fields of an entity type of one subgraph that share a guard. */
export interface EntityRow {
  readonly subgraph: 'identity' | 'seo' | 'translation';
  readonly type: string;
  /** Fields, each with its arguments and the selection below it; or whatever no other row of the type names. */
  readonly fields: Readonly<Record<string, string>> | 'the rest';
  readonly items: readonly ItemName[];
  /** Key of the item in this type; its id by default. */
  key?(cell: EntityCell): Readonly<Record<string, string>>;
  rule: Rule | ((cell: EntityCell) => Rule);
  /** Scope that opens it to API clients; none: people only. */
  readonly scope?: string;
  /** The reference itself is open to every authenticated caller, and refusals there come first. */
  readonly throughAnyIdentity?: true;
  /** What the entity must be; null for none that the caller may know of. */
  check?(entity: any, cell: EntityCell): void;
}
