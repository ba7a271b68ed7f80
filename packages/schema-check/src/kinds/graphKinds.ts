import { breaking, dangerous, safe } from './Severity.ts';

/** Kinds of changes of the GraphQL schema; the path is a schema coordinate, as in `Query.listing(id:)`. */
export const graphKinds = {
  'type-removed': breaking('A type was removed; dangerous if no known operation uses it.'),
  'type-kind-changed': breaking('A type changed its kind, for example from enum to scalar.'),
  'union-member-removed': breaking('A member of a union was removed.'),
  'enum-value-removed': breaking('An enum value was removed.'),
  'required-input-field-added': breaking('A required member was added to an input object.'),
  'interface-removed': breaking('A type no longer implements an interface.'),
  'field-removed': breaking('A field was removed; dangerous if no known operation uses it.'),
  'field-type-changed': breaking('A field has an incompatible type, or became nullable.'),
  'required-argument-added': breaking('A required argument was added to a field.'),
  'argument-removed': breaking('An argument of a field was removed.'),
  'argument-type-changed': breaking('An argument has an incompatible type, or became non-null.'),
  'argument-became-required': breaking('A non-null argument lost its default.'),
  'input-field-became-required': breaking('A non-null input member lost its default.'),
  'one-of-added': breaking('An input object now requires exactly one member.'),
  'directive-removed': breaking('A directive for operations was removed.'),
  'directive-argument-removed': breaking('An argument of a directive for operations was removed.'),
  'required-directive-argument-added': breaking(
    'A required argument was added to a directive for operations.',
  ),
  'directive-repeatable-removed': breaking('A directive for operations is no longer repeatable.'),
  'directive-location-removed': breaking('A location of a directive for operations was removed.'),
  'enum-value-added': dangerous('Clients that handle every value receive an unknown one.'),
  'union-member-added': dangerous('Clients that handle every member of a union receive an unknown one.'),
  'possible-type-added': dangerous('Clients that handle every type of an interface receive an unknown one.'),
  'interface-added': dangerous(
    'A type implements a further interface, so that fragments on it match more objects.',
  ),
  'optional-input-field-added': dangerous(
    'An optional member was added to an input; existing clients get its default.',
  ),
  'optional-argument-added': dangerous('An optional argument was added; existing clients get its default.'),
  'argument-default-changed': dangerous(
    'An argument has another default, so that the same operation has another meaning.',
  ),
  'input-field-default-changed': dangerous(
    'An input member has another default, so that the same input has another meaning.',
  ),
  'one-of-removed': dangerous('An input object no longer requires exactly one member.'),
  'scalar-specification-changed': dangerous('A scalar refers to another specification.'),
  'type-added': safe('A type was added.'),
  'field-added': safe('A field was added.'),
  'field-type-narrowed': safe('A nullable field became non-null.'),
  'input-type-relaxed': safe('An argument or input member became nullable or optional.'),
  'deprecation-added': safe('A member was deprecated.'),
  'deprecation-removed': safe('A member is no longer deprecated.'),
} as const;
