import { installations } from './installations.ts';

/** Prints the accounts, and sample calls in both styles that can be pasted. */
export function printExamples(
  { url, password }: { url: string; password: string | undefined },
  progress: (line: string) => void,
): void {
  const [here, elsewhere] = installations.map(({ people }) => people.map(({ email }) => email).join(', '));
  const known = password ?? '<the password printed at the first start, or set DEMO_PASSWORD>';
  const lines = [
    '',
    `  people    ${here}`,
    `            ${elsewhere} (at ${url.replace('localhost', 'other.localhost')})`,
    ...(password === undefined ? [] : [`  password  ${password}`]),
    '',
    '  REST, without a token:',
    `    curl '${url}/api/v1/catalog/listings?q=volvo&limit=3'`,
    '  GraphQL, without a token:',
    `    curl '${url}/graphql' -H 'content-type: application/json' -d '{"query":"{ catalogListings(q: \\"volvo\\", first: 3) { nodes { title price { amount currency } } } }"}'`,
    '  A token, then your own user in both styles:',
    `    TOKEN=$(curl -s '${url}/api/v1/auth/token' -d grant_type=password -d username=dealer@demo.example --data-urlencode 'password=${known}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `    curl '${url}/api/v1/me' -H "authorization: Bearer $TOKEN"`,
    `    curl '${url}/graphql' -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -d '{"query":"{ me { displayName permissions } }"}'`,
    '  One query across the three subgraphs:',
    `    curl '${url}/graphql' -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -d '{"query":"{ listings(first: 1) { nodes { title seo { keyphrase latestAnalysis { scores { seo { value rating } } } } translations { languageCode fields { title } } } } }"}'`,
    '',
    `  Storefront        ${url}/listings`,
    `  Documentation     ${url}/docs`,
    `  REST explorer     ${url}/docs/rest`,
    `  GraphQL explorer  ${url}/graphiql`,
    '',
  ];
  for (const line of lines) progress(line);
}
