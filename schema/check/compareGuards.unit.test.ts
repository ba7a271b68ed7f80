import type { Guard } from '../guards/readGuard.ts';
import { compareGuards } from './compareGuards.ts';

const signedIn: Guard = { authenticated: true };
const open: Guard = { public: true };
const edit = (breadth: 'ANY' | 'OWN'): Guard => ({ permission: { name: 'seo:edit', breadth } });
const admin: Guard = { permission: { name: 'seo:admin', breadth: 'ANY' } };
const owner = (or?: 'seo:edit'): Guard => ({ owner: { type: 'Listing', id: 'id', ...(or ? { or } : {}) } });
const member = (atLeast: 'AGENT' | 'MANAGER'): Guard => ({
  dealerRole: { atLeast, dealer: 'id', or: 'seo:edit' },
});

const client = (clientScope: string): Guard => ({ ...signedIn, clientScope });
const recent = (stepUpMaxAgeSeconds: number): Guard => ({ ...signedIn, stepUpMaxAgeSeconds });
const withSuspended: Guard = { ...signedIn, allowedStates: ['suspended'] };
const withoutMfa: Guard = { ...signedIn, allowsWithoutMfa: true };
const adjust: Guard = { permission: { name: 'ledger:adjust', breadth: 'ANY' } };
const otherOwner = (type: 'Listing' | 'Dealer', id: string): Guard => ({ owner: { type, id } });

type Verdict = 'same' | 'stricter' | 'looser' | 'both';

test.each<[string, Verdict, Guard | null, Guard | null]>([
  ['no change', 'same', owner(), owner()],
  ['public to authenticated', 'stricter', open, signedIn],
  ['authenticated to public', 'looser', signedIn, open],
  ['no own guard to one', 'stricter', null, signedIn],
  ['an own guard to none', 'looser', signedIn, null],
  ['no own guard to public', 'same', null, open],
  ['authenticated to a permission', 'stricter', signedIn, edit('OWN')],
  ['a permission for own objects to one for all objects', 'stricter', edit('OWN'), edit('ANY')],
  ['a permission for all objects to one for own objects', 'looser', edit('ANY'), edit('OWN')],
  ['a permission to one that includes it', 'stricter', edit('ANY'), admin],
  ['a permission to one that it includes', 'looser', admin, edit('ANY')],
  ['a permission to an unrelated one', 'both', edit('ANY'), adjust],
  ['a permission to ownership', 'both', edit('ANY'), owner()],
  ['a permission to ownership or the permission', 'looser', edit('ANY'), owner('seo:edit')],
  ['a permission for own objects to ownership or the permission', 'both', edit('OWN'), owner('seo:edit')],
  ['ownership or a permission to ownership', 'stricter', owner('seo:edit'), owner()],
  ['ownership to ownership or a permission', 'looser', owner(), owner('seo:edit')],
  [
    'ownership by one argument to ownership by another one',
    'both',
    owner(),
    otherOwner('Listing', 'input.id'),
  ],
  ['ownership of one type to ownership of another one', 'both', owner(), otherOwner('Dealer', 'id')],
  ['a dealer role to a higher one', 'stricter', member('AGENT'), member('MANAGER')],
  ['a dealer role to a lower one', 'looser', member('MANAGER'), member('AGENT')],
  ['a permission to a dealer role or the permission', 'looser', edit('ANY'), member('AGENT')],
  ['no API clients to those with a scope', 'looser', signedIn, client('a')],
  ['API clients with a scope to none', 'stricter', client('a'), signedIn],
  ['API clients with a scope to all', 'looser', client('a'), client('*')],
  ['all API clients to those with a scope', 'stricter', client('*'), client('a')],
  ['API clients with one scope to another scope', 'both', client('a'), client('b')],
  ['any sign-in to a recent one', 'stricter', signedIn, recent(600)],
  ['a recent sign-in to an older one', 'looser', recent(60), recent(600)],
  ['active users to active and suspended ones', 'looser', signedIn, withSuspended],
  ['active and suspended users to active ones', 'stricter', withSuspended, signedIn],
  ['a second factor to none', 'looser', signedIn, withoutMfa],
  ['no second factor to one', 'stricter', withoutMfa, signedIn],
])('the change of a guard from %s is: %s', (_, verdict, before, after) => {
  const { added, dropped } = compareGuards(before, after);
  const [isStricter, isLooser] = [added.length > 0, dropped.length > 0];
  const found = isStricter && isLooser ? 'both' : isStricter ? 'stricter' : isLooser ? 'looser' : 'same';
  expect(found).toBe(verdict);
});
