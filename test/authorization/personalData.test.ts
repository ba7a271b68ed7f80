import { readFileSync } from 'node:fs';
import { buildSchema, getNamedType, isObjectType, isScalarType } from 'graphql';

/** Who is shown an address, a number or a full name, and why. */
const shownBy: Readonly<Record<string, string>> = {
  'Me.email': 'his own',
  'Me.givenName': 'his own',
  'Me.familyName': 'his own',
  'Me.phone': 'his own',
  'Registration.email': 'as he has just written it',
  'PendingEmailChange.email': 'as he has just written it',
  'AdminUserEntry.email': 'users:read',
  'AdminUserEntry.givenName': 'users:read',
  'AdminUserEntry.familyName': 'users:read',
  'AdminUser.email': 'users:read, each reading in the audit',
  'AdminUser.givenName': 'users:read, each reading in the audit',
  'AdminUser.familyName': 'users:read, each reading in the audit',
  'AdminUser.phone': 'users:read, each reading in the audit',
  'Dealer.contactEmail': 'of the business, for its members and dealers:read',
  'CatalogDealer.contactPhone': 'of the business, for whoever wants to buy there',
  'Dealer.contactPhone': 'of the business, for its members and dealers:read',
  'DealerLocation.phone': 'of the business, for its members and dealers:read',
  'DealerInvitation.email': 'as the dealer’s managers wrote it, and for them',
  'DealerRepresentative.givenName': 'the dealer’s owners, and dealers:read',
  'DealerRepresentative.familyName': 'the dealer’s owners, and dealers:read',
  'DealerRepresentative.birthDate': 'the dealer’s owners, and dealers:read',
  'CatalogListing.contactPhone': 'the seller has said that it is shown',
};

const personal = /mail|phone|givenName|familyName|birthDate/i;

/*
 * The other half of this is in the matrix: no response of any method contains the address or the number of another
 * user, except for the methods that are named there.
 */
test('no field shows an email address, phone number or full name unless it states to whom, and other users see only the display name', () => {
  const sdl = readFileSync(new URL('../../schema/supergraph.graphql', import.meta.url), 'utf8');
  const schema = buildSchema(sdl, { assumeValidSDL: true });
  const found = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !type.name.startsWith('__')
      ? Object.values(type.getFields())
          .filter((field) => {
            const { name } = getNamedType(field.type);
            return personal.test(field.name) && isScalarType(getNamedType(field.type)) && name !== 'Boolean';
          })
          .map((field) => `${type.name}.${field.name}`)
      : [],
  );
  const roots = new Set(['Query', 'Mutation']);
  expect(found.filter((field) => !roots.has(field.split('.')[0] ?? '')).sort()).toEqual(
    Object.keys(shownBy).sort(),
  );
  const user = schema.getType('User');
  expect(isObjectType(user) && Object.keys(user.getFields()).sort()).toEqual(['displayName', 'id']);
});
