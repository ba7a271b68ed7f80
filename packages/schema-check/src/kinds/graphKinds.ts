import { breaking, dangerous, safe } from './Severity.ts';

/** Kinds of changes of the GraphQL schema; the path is a schema coordinate, as in `Query.listing(id:)`. */
export const graphKinds = {
  'type-removed': breaking(
    'A type was removed; dangerous if no known operation uses it.',
    'Deprecate its fields first. Remove it once no operation uses it.',
  ),
  'type-kind-changed': breaking(
    'A type changed its kind, for example from enum to scalar.',
    'Add a type with another name, and deprecate the fields that return the old one.',
  ),
  'union-member-removed': breaking(
    'A member of a union was removed.',
    'Keep the member in the schema, even if it is no longer returned.',
  ),
  'enum-value-removed': breaking(
    'An enum value was removed.',
    'Deprecate the value first. Remove it once no operation uses it.',
  ),
  'required-input-field-added': breaking(
    'A required member was added to an input object.',
    'Give the member a default, or make it nullable.',
  ),
  'interface-removed': breaking(
    'A type no longer implements an interface.',
    'Keep the interface, and deprecate its fields.',
  ),
  'field-removed': breaking(
    'A field was removed; dangerous if no known operation uses it.',
    'Deprecate the field first. Remove it once no operation uses it.',
  ),
  'field-type-changed': breaking(
    'A field has an incompatible type, or became nullable.',
    'Add a field with another name, and deprecate the old one.',
  ),
  'semantic-non-null-removed': breaking(
    'A field lost `@semanticNonNull`, so that it can be null without an error.',
    'Add a field with another name, and deprecate the old one.',
  ),
  'required-argument-added': breaking(
    'A required argument was added to a field.',
    'Give the argument a default, or make it nullable.',
  ),
  'argument-removed': breaking(
    'An argument of a field was removed.',
    'Deprecate the argument and ignore it. Remove it once no operation uses it.',
  ),
  'argument-type-changed': breaking(
    'An argument has an incompatible type, or became non-null.',
    'Add an argument with another name, and deprecate the old one.',
  ),
  'argument-became-required': breaking('A non-null argument lost its default.', 'Keep the default.'),
  'input-field-became-required': breaking('A non-null input member lost its default.', 'Keep the default.'),
  'one-of-added': breaking(
    'An input object now requires exactly one member.',
    'Add an input object with another name, and an argument of its type.',
  ),
  'directive-removed': breaking(
    'A directive for operations was removed.',
    'Keep the directive, even if it has no effect.',
  ),
  'directive-argument-removed': breaking(
    'An argument of a directive for operations was removed.',
    'Keep the argument, even if it has no effect.',
  ),
  'required-directive-argument-added': breaking(
    'A required argument was added to a directive for operations.',
    'Give the argument a default, or make it nullable.',
  ),
  'directive-repeatable-removed': breaking(
    'A directive for operations is no longer repeatable.',
    'Keep the directive repeatable.',
  ),
  'directive-location-removed': breaking(
    'A location of a directive for operations was removed.',
    'Keep the location, even if the directive has no effect there.',
  ),
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
  'semantic-non-null-added': safe('A field has `@semanticNonNull`, so that it is null only with an error.'),
  'input-type-relaxed': safe('An argument or input member became nullable or optional.'),
  'deprecation-added': safe('A member was deprecated.'),
  'deprecation-removed': safe('A member is no longer deprecated.'),
} as const;
