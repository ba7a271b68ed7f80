import { readFileSync } from 'node:fs';
import { buildSchema, getNamedType, isObjectType, isScalarType } from 'graphql';

/** The callers to which each address, number or full name is shown. */
const shownBy: Readonly<Record<string, string>> = {
  'Me.email': 'the user’s own',
  'Me.givenName': 'the user’s own',
  'Me.familyName': 'the user’s own',
  'Me.phone': 'the user’s own',
  'Registration.email': 'as the caller entered it',
  'PendingEmailChange.email': 'as the caller entered it',
  'AdminUserEntry.email': 'users:read',
  'AdminUserEntry.givenName': 'users:read',
  'AdminUserEntry.familyName': 'users:read',
  'AdminUser.email': 'users:read; each read is audited',
  'AdminUser.givenName': 'users:read; each read is audited',
  'AdminUser.familyName': 'users:read; each read is audited',
  'AdminUser.phone': 'users:read; each read is audited',
  'Dealer.contactEmail': 'of the business, for its members and dealers:read',
  'CatalogDealer.contactPhone': 'of the business, for buyers',
  'Dealer.contactPhone': 'of the business, for its members and dealers:read',
  'DealerLocation.phone': 'of the business, for its members and dealers:read',
  'DealerInvitation.email': 'for the dealer’s managers, who entered it',
  'DealerRepresentative.givenName': 'the dealer’s owners, and dealers:read',
  'DealerRepresentative.familyName': 'the dealer’s owners, and dealers:read',
  'DealerRepresentative.birthDate': 'the dealer’s owners, and dealers:read',
  'CatalogListing.contactPhone': 'shown with the seller’s consent',
};

const personal = /mail|phone|givenName|familyName|birthDate/i;

/*
 * The matrix tests the values: no response contains the address or the number of another user, except for the
 * operations with `showsPeople`.
 */
test('every field with an email address, phone number, name or birth date is listed, and User shows only displayName', () => {
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
