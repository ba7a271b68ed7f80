import { isItem, once, onEach } from '../matrix/calls.ts';
import type { Case, Operation } from '../matrix/Operation.ts';
import type { Rule } from '../matrix/rules.ts';
import { type ItemName, namesOf } from '../world/Item.ts';
import { notFound } from '../world/meanings.ts';
import { readsDrafts } from './pageOperations.ts';

/** Records of one type, with the rule of the root field that reads them by id. */
const of = (items: readonly ItemName[], rule: Rule, scope?: string): Case[] =>
  onEach(items, (id) => ({ variables: { id } }), { rule, ...(scope !== undefined && { scope }) });

const pages = onEach(['page', 'pageDraft', 'pageElsewhere', 'pageNever'], (id) => ({ variables: { id } }), {
  meaning: ({ item, who }) =>
    item?.name === 'page' || (item?.name === 'pageDraft' && readsDrafts(who)) ? null : notFound,
});

/** Records by id, of every type that is a `Node`. */
export const nodeOperations: readonly Operation[] = [
  {
    field: 'Query.node',
    rule: { kind: 'public' },
    selection: 'id',
    cases: [
      ...of(
        ['garage', 'private', 'published', 'elsewhere', 'never'],
        { kind: 'owner', or: 'listings:moderate' },
        'listings:read',
      ),
      ...of(namesOf('dealer'), { kind: 'member', or: 'dealers:read' }, 'dealer:read'),
      ...of(
        [...namesOf('media'), 'mediaPaper', 'mediaPrivate'],
        { kind: 'owner', or: 'media:moderate' },
        'media:read',
      ),
      ...of(
        [...namesOf('payment'), 'paymentPrivate'],
        { kind: 'owner', or: 'payments:read' },
        'payments:read',
      ),
      ...of(namesOf('thread'), { kind: 'owner' }, 'messages:read'),
      ...of(
        [...namesOf('dispute'), 'disputePrivate'],
        { kind: 'owner', or: 'payments:read' },
        'payments:read',
      ),
      ...of(namesOf('method'), { kind: 'owner' }),
      ...of(namesOf('person'), { kind: 'owner', or: 'users:read' }),
      ...pages,
    ],
    check: isItem,
  },
  {
    field: 'Query.nodes',
    rule: { kind: 'public' },
    selection: 'id',
    cases: [once(({ world }) => ({ variables: { ids: [world.items.page.id] } }))],
    check: (data, { world }) => expect(data).toEqual([{ id: world.items.page.id }]),
  },
];
