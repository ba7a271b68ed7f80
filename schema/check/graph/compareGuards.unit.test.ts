import type { Guard } from '../../guards/readGuard.ts';
import { compareGuards } from './compareGuards.ts';

const signedIn: Guard = { authenticated: true };
const open: Guard = { public: true };
const edit = (breadth: 'ANY' | 'OWN'): Guard => ({ permission: { name: 'seo:edit', breadth } });
const admin: Guard = { permission: { name: 'seo:admin', breadth: 'ANY' } };
const owner = (or?: 'seo:edit'): Guard => ({ owner: { type: 'Listing', id: 'id', ...(or ? { or } : {}) } });
const member = (atLeast: 'AGENT' | 'MANAGER'): Guard => ({
  dealerRole: { atLeast, dealer: 'id', or: 'seo:edit' },
});

type Verdict = 'same' | 'stricter' | 'looser' | 'both';

test.each<[string, Guard | null, Guard | null, Verdict]>([
  ['nothing changes', owner(), owner(), 'same'],
  ['anybody, then an identity', open, signedIn, 'stricter'],
  ['an identity, then anybody', signedIn, open, 'looser'],
  ['no guard of its own, then one', null, signedIn, 'stricter'],
  ['a guard of its own, then none', signedIn, null, 'looser'],
  ['no guard of its own, then open to anybody', null, open, 'same'],
  ['an identity, then a permission', signedIn, edit('OWN'), 'stricter'],
  ['own objects, then every object', edit('OWN'), edit('ANY'), 'stricter'],
  ['every object, then own objects', edit('ANY'), edit('OWN'), 'looser'],
  ['a permission, then one that includes it', edit('ANY'), admin, 'stricter'],
  ['a permission, then one that it includes', admin, edit('ANY'), 'looser'],
  [
    'a permission, then an unrelated one',
    edit('ANY'),
    { permission: { name: 'ledger:adjust', breadth: 'ANY' } },
    'both',
  ],
  ['a permission, then ownership instead', edit('ANY'), owner(), 'both'],
  ['a permission, then ownership besides', edit('ANY'), owner('seo:edit'), 'looser'],
  ['own objects by permission, then ownership besides', edit('OWN'), owner('seo:edit'), 'both'],
  ['ownership or a permission, then ownership', owner('seo:edit'), owner(), 'stricter'],
  ['ownership, then ownership or a permission', owner(), owner('seo:edit'), 'looser'],
  ['ownership of another argument', owner(), { owner: { type: 'Listing', id: 'input.id' } }, 'both'],
  ['ownership of another type', owner(), { owner: { type: 'Dealer', id: 'id' } }, 'both'],
  ['a role, then a higher one', member('AGENT'), member('MANAGER'), 'stricter'],
  ['a role, then a lower one', member('MANAGER'), member('AGENT'), 'looser'],
  ['a permission, then a role besides', edit('ANY'), member('AGENT'), 'looser'],
  ['no clients, then those with a scope', signedIn, { ...signedIn, clientScope: 'a' }, 'looser'],
  ['clients with a scope, then none', { ...signedIn, clientScope: 'a' }, signedIn, 'stricter'],
  [
    'clients with a scope, then every client',
    { ...signedIn, clientScope: 'a' },
    { ...signedIn, clientScope: '*' },
    'looser',
  ],
  [
    'every client, then those with a scope',
    { ...signedIn, clientScope: '*' },
    { ...signedIn, clientScope: 'a' },
    'stricter',
  ],
  [
    'clients with one scope, then with another',
    { ...signedIn, clientScope: 'a' },
    { ...signedIn, clientScope: 'b' },
    'both',
  ],
  ['any sign-in, then a young one', signedIn, { ...signedIn, stepUpMaxAgeSeconds: 600 }, 'stricter'],
  [
    'a young sign-in, then an older one',
    { ...signedIn, stepUpMaxAgeSeconds: 60 },
    { ...signedIn, stepUpMaxAgeSeconds: 600 },
    'looser',
  ],
  ['active ones, then suspended ones too', signedIn, { ...signedIn, allowedStates: ['suspended'] }, 'looser'],
  [
    'suspended ones too, then active ones',
    { ...signedIn, allowedStates: ['suspended'] },
    signedIn,
    'stricter',
  ],
  ['the second factor of a role, then none', signedIn, { ...signedIn, allowsWithoutMfa: true }, 'looser'],
  ['no second factor, then that of a role', { ...signedIn, allowsWithoutMfa: true }, signedIn, 'stricter'],
])('%s', (_, before, after, verdict) => {
  const { added, dropped } = compareGuards(before, after);
  const found =
    added.length > 0 ? (dropped.length > 0 ? 'both' : 'stricter') : dropped.length > 0 ? 'looser' : 'same';
  expect(found).toBe(verdict);
});
