import { breaking, dangerous, safe } from './Severity.ts';

/**
 * Kinds of changes of the JSON that routes accept and return. Narrowing a request or widening a response is refused,
 * because clients write the one and read the other.
 */
export const schemaKinds = {
  'request-property-removed': breaking(
    'A member of the request was removed and is refused.',
    'Accept the member and ignore it. Remove it once no client sends it.',
  ),
  'request-property-added': safe('An optional member was added to the request.'),
  'request-required-property-added': breaking(
    'A required member was added to the request.',
    'Make the member optional.',
  ),
  'request-property-became-required': breaking(
    'An optional member of the request became required.',
    'Keep the member optional.',
  ),
  'request-property-became-optional': safe('A required member of the request became optional.'),
  'request-null-refused': breaking('Null was accepted and is refused.', 'Keep accepting null.'),
  'request-null-accepted': safe('Null was refused and is accepted.'),
  'request-type-changed': breaking(
    'A value of the request that was accepted has the wrong type.',
    'Keep accepting the old type, or add a member with another name.',
  ),
  'request-type-widened': safe('Values of a further type are accepted.'),
  'request-format-changed': breaking(
    'A value of the request must have another format.',
    'Keep accepting the old format, or add a member with another name.',
  ),
  'request-format-removed': safe('The format of a value of the request was removed.'),
  'request-enum-narrowed': breaking(
    'A value of the request was removed and is refused.',
    'Keep accepting the value.',
  ),
  'request-enum-widened': safe('Further values are accepted.'),
  'request-bound-tightened': breaking(
    'Values of the request beyond a tighter bound are refused.',
    'Keep the bound.',
  ),
  'request-bound-stated': dangerous('A bound of the request is documented for the first time.'),
  'request-bound-relaxed': safe('A bound of the request is wider.'),
  'request-pattern-changed': breaking(
    'A value of the request must match another pattern.',
    'Choose a pattern that matches all values of the old one, and accept the change by name.',
  ),
  'request-pattern-removed': safe('A value of the request need not match a pattern.'),
  'request-variant-removed': breaking(
    'A variant of the request was removed and is refused.',
    'Keep accepting the variant.',
  ),
  'request-variant-added': safe('The request accepts a further variant.'),
  'request-closed': breaking(
    'Members that the schema does not define are refused.',
    'Keep ignoring unknown members.',
  ),
  'request-opened': safe('Members that the schema does not define are accepted.'),
  'request-default-changed': dangerous('An optional member has another default.'),
  'request-schema-incomparable': breaking(
    'A keyword of the request that the check does not know differs.',
    'Compare both schemas yourself. If no request is refused, accept the change by name.',
  ),
  'response-property-removed': breaking(
    'A member of the response was removed.',
    'Deprecate the member first. Remove it once no client reads it.',
  ),
  'response-property-added': safe('A member was added to the response.'),
  'response-property-became-optional': breaking(
    'A required member of the response became optional.',
    'Keep returning the member.',
  ),
  'response-property-became-required': safe('An optional member of the response became required.'),
  'response-became-nullable': breaking(
    'A value of the response became nullable.',
    'Add a nullable member with another name, and deprecate the old one.',
  ),
  'response-never-null': safe('A nullable value of the response became non-null.'),
  'response-type-changed': breaking(
    'A value of the response has a type that clients do not expect.',
    'Add a member with another name, and deprecate the old one.',
  ),
  'response-type-narrowed': safe('A value of the response has fewer types.'),
  'response-format-changed': breaking(
    'A value of the response has another format, or none.',
    'Add a member with another name, and deprecate the old one.',
  ),
  'response-format-added': safe('The format of a value of the response was documented.'),
  'response-enum-widened': dangerous('Clients that handle every value receive an unknown one.'),
  'response-enum-narrowed': safe('A value is no longer returned.'),
  'response-bound-relaxed': dangerous('Values of the response can exceed a documented bound.'),
  'response-bound-tightened': safe('A bound of the response is tighter.'),
  'response-pattern-changed': dangerous('A value of the response need not match the documented pattern.'),
  'response-pattern-added': safe('The pattern of a value of the response was documented.'),
  'response-variant-added': dangerous('Clients that handle every variant receive an unknown one.'),
  'response-variant-removed': safe('A variant is no longer returned.'),
  'response-schema-incomparable': breaking(
    'A keyword of the response that the check does not know differs.',
    'Compare both schemas yourself. If clients can read each response, accept the change by name.',
  ),
} as const;
