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
  /** Fields, each with its arguments and its selection, or all fields that no other row of the type names. */
  readonly fields: Readonly<Record<string, string>> | 'the rest';
  readonly items: readonly ItemName[];
  /** Key of the item in this type; its id by default. */
  key?(cell: EntityCell): Readonly<Record<string, string>>;
  rule: Rule | ((cell: EntityCell) => Rule);
  /** Scope with which API clients can read it. Without a scope, only users can. */
  readonly scope?: string;
  /** The reference itself is open to every authenticated caller, and refusals there come first. */
  readonly throughAnyIdentity?: true;
  /** Checks the entity. It must be null if the caller must not know of it. */
  check?(entity: any, cell: EntityCell): void;
}
