import { newId } from '../../../subgraphs/platform/ids/newId.ts';

/** An object and its dependent records. An object that is not here has ids of another installation, or unused ids. */
export interface Item {
  readonly name: ItemName;
  readonly type:
    | 'listing'
    | 'dealer'
    | 'user'
    | 'session'
    | 'mfaFactor'
    | 'dataExport'
    | 'savedSearch'
    | 'page'
    | 'report'
    | 'media'
    | 'conversation'
    | 'message'
    | 'auditJob'
    | 'payout'
    | 'payment'
    | 'paymentMethod'
    | 'dispute'
    | 'refund';
  readonly where: 'here' | 'elsewhere' | 'never';
  /** The owner: the garage, a private seller, or a user outside of the matrix. */
  readonly owner: 'garage' | 'seller' | null;
  readonly id: string;
  readonly translationId: string;
  readonly groupId: string;
  readonly recordId: string;
  readonly snapshotId: string;
  /** The dealer of the object. Null for an object of a private seller. */
  readonly dealerId: string | null;
}

/** Kinds of items. Of each, the world has a record here, one in another installation, and an unused id. */
type Kind =
  | 'dealer'
  | 'person'
  | 'session'
  | 'factor'
  | 'export'
  | 'search'
  | 'page'
  | 'report'
  | 'media'
  | 'thread'
  | 'message'
  | 'auditJob'
  | 'payout'
  | 'payment'
  | 'method'
  | 'dispute'
  | 'refund';
/** The three items of a kind. */
type OfKind<K extends Kind> = K | `${K}Elsewhere` | `${K}Never`;

/** Objects of the matrix. They are drafts unless named otherwise. */
export type ItemName =
  | OfKind<Kind>
  | 'garage'
  | 'private'
  | 'published'
  | 'elsewhere'
  | 'never'
  | 'pageDraft'
  | 'mediaPaper'
  | 'mediaPrivate'
  | 'paymentPrivate'
  | 'disputePrivate';

/** Names of the three items of a kind. */
export function namesOf<K extends Kind>(kind: K): readonly OfKind<K>[] {
  return [kind, `${kind}Elsewhere`, `${kind}Never`];
}

/** An item without its dependent records. */
export type Bare = Pick<Item, 'name' | 'type' | 'where' | 'owner' | 'id' | 'dealerId'>;

/**
 * The three items of a kind whose records belong to no caller and have no texts.
 *
 * @param ids of the record here and of the one of another installation
 */
export function unowned<K extends Kind>(
  kind: K,
  type: Item['type'],
  ids: readonly [here: string, elsewhere: string],
): Record<OfKind<K>, Item> {
  const item = (name: ItemName, where: Item['where'], id?: string): Item => ({
    ...nobodys(name, type),
    where,
    ...(id !== undefined && { id }),
  });
  return {
    [kind]: item(kind, 'here', ids[0]),
    [`${kind}Elsewhere`]: item(`${kind}Elsewhere`, 'elsewhere', ids[1]),
    [`${kind}Never`]: item(`${kind}Never`, 'never'),
  } as Record<OfKind<K>, Item>;
}

/** An item of an owner in the matrix. Without an owner, an item of another installation. */
export function owned(
  name: ItemName,
  type: Item['type'],
  { owner, id, dealerId = null }: Pick<Item, 'owner' | 'id'> & Partial<Pick<Item, 'dealerId'>>,
): Item {
  return { ...nobodys(name, type), where: owner ? 'here' : 'elsewhere', owner, id, dealerId };
}

/** Unused ids in a valid format. */
export function nobodys(name: ItemName, type: Item['type']): Item {
  const id = newId(type);
  return {
    name,
    type,
    where: 'never',
    owner: null,
    id,
    translationId: newId('translation'),
    groupId: newId('group'),
    recordId: newId('seoRecord'),
    snapshotId: newId('seoSnapshot'),
    dealerId: newId('dealer'),
  };
}
