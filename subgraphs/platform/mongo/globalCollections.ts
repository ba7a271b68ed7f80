/** The closed list of collections outside the installation scope; every other one demands `installationId`. */
export const globalCollections: ReadonlySet<string> = new Set([
  'installations',
  'signing_keys',
  'issuers',
  'operators',
  'events',
  'relay_cursors',
  'leases',
  'migrations',
]);
