import { breaking, dangerous, safe } from './Severity.ts';

/** Kinds of changes of REST routes; the path begins with method and template, as in `GET /api/v1/me 200`. */
export const restKinds = {
  'route-removed': breaking(
    'A method and path was removed.',
    'Deprecate the route first. Remove it once no client uses it.',
  ),
  'route-moved': breaking(
    'The operation of a method and path moved to another one.',
    'Serve the operation at both paths, and deprecate the old one.',
  ),
  'route-added': safe('A method and path was added.'),
  'status-removed': breaking(
    'A success status is no longer returned.',
    'Keep the status for requests that had it.',
  ),
  'status-added': dangerous('A success status was added.'),
  'error-status-removed': dangerous('An error status is no longer returned.'),
  'error-status-added': safe('An error status was added.'),
  'problem-status-changed': breaking('A problem code has another status.', 'Add a code with the new status.'),
  'parameter-removed': breaking(
    'A parameter was removed; unknown parameters are refused.',
    'Deprecate the parameter and ignore it. Remove it once no client sends it.',
  ),
  'header-removed': dangerous('A request header was removed and is ignored.'),
  'required-parameter-added': breaking(
    'A required parameter was added, which no client sends.',
    'Make the parameter optional.',
  ),
  'parameter-became-required': breaking(
    'An optional parameter became required.',
    'Keep the parameter optional.',
  ),
  'parameter-style-changed': breaking(
    'The serialization of a list changed.',
    'Keep the serialization, or add a parameter with another name.',
  ),
  'parameter-added': safe('An optional parameter was added.'),
  'parameter-became-optional': safe('A required parameter became optional.'),
  'body-removed': breaking('The request no longer accepts a body.', 'Accept the body and ignore it.'),
  'required-body-added': breaking('A required body was added.', 'Make the body optional.'),
  'body-became-required': breaking('An optional body became required.', 'Keep the body optional.'),
  'body-added': safe('An optional body was added.'),
  'body-became-optional': safe('A required body became optional.'),
  'request-media-type-removed': breaking(
    'A media type of the request was removed and is refused.',
    'Keep accepting the media type.',
  ),
  'request-media-type-added': safe('The request accepts a further media type.'),
  'response-media-type-removed': breaking(
    'A media type of the response was removed.',
    'Keep offering the media type.',
  ),
  'response-media-type-added': safe('The response has a further media type.'),
  'response-header-removed': breaking('A header of the response was removed.', 'Keep sending the header.'),
  'response-header-added': safe('The response has a further header.'),
  'security-stricter': breaking(
    'Credentials that were sufficient are refused.',
    'Keep accepting the credentials, or add a route.',
  ),
  'security-looser': breaking(
    'Callers who were refused are admitted.',
    'Restore the demand. If further callers may use the route, accept the change by name.',
  ),
  'operation-id-changed': dangerous('Generated clients use another name for the operation.'),
  'route-deprecated': safe('A route was deprecated.'),
} as const;
