import { newId } from '../../subgraphs/platform/ids/newId.ts';

/** An object with everything that hangs on it; ids of another installation, or of nothing, for those that are not here. */
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
  /** Who owns it: the garage, a private seller, or nobody whom the matrix knows. */
  readonly owner: 'garage' | 'seller' | null;
  readonly id: string;
  readonly translationId: string;
  readonly groupId: string;
  readonly recordId: string;
  readonly snapshotId: string;
  /** The dealer that it belongs to; null for a private seller's. */
  readonly dealerId: string | null;
}

/** Objects of the matrix: two owners, another installation's, and ids that nobody has; drafts unless named otherwise. */
export type ItemName =
  | 'garage'
  | 'private'
  | 'elsewhere'
  | 'never'
  | 'published'
  | 'dealer'
  | 'dealerElsewhere'
  | 'dealerNever'
  | 'person'
  | 'personElsewhere'
  | 'personNever'
  | 'session'
  | 'sessionElsewhere'
  | 'sessionNever'
  | 'factor'
  | 'factorElsewhere'
  | 'factorNever'
  | 'export'
  | 'exportElsewhere'
  | 'exportNever'
  | 'search'
  | 'searchElsewhere'
  | 'searchNever'
  | 'page'
  | 'pageDraft'
  | 'pageElsewhere'
  | 'pageNever'
  | 'report'
  | 'reportElsewhere'
  | 'reportNever'
  | 'media'
  | 'mediaPaper'
  | 'mediaPrivate'
  | 'mediaElsewhere'
  | 'mediaNever'
  | 'thread'
  | 'threadElsewhere'
  | 'threadNever'
  | 'message'
  | 'messageElsewhere'
  | 'messageNever'
  | 'auditJob'
  | 'auditJobElsewhere'
  | 'auditJobNever'
  | 'payout'
  | 'payoutElsewhere'
  | 'payoutNever'
  | 'payment'
  | 'paymentPrivate'
  | 'paymentElsewhere'
  | 'paymentNever'
  | 'method'
  | 'methodElsewhere'
  | 'methodNever'
  | 'dispute'
  | 'disputePrivate'
  | 'disputeElsewhere'
  | 'disputeNever'
  | 'refund'
  | 'refundElsewhere'
  | 'refundNever';

/** What an item is before anything hangs on it. */
export type Bare = Pick<Item, 'name' | 'type' | 'where' | 'owner' | 'id' | 'dealerId'>;

/** Somebody whom no caller is, or what is his: it has no texts, so nothing hangs on it. */
export function somebodys(
  name: ItemName,
  type:
    | 'user'
    | 'session'
    | 'mfaFactor'
    | 'dataExport'
    | 'savedSearch'
    | 'report'
    | 'auditJob'
    | 'payout'
    | 'refund',
  id: string,
  where: 'here' | 'elsewhere' = 'here',
): Item {
  return { ...nobodys(name, type), where, id };
}

/** Ids of the right shape that nothing has. */
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
