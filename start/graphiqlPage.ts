import { createRequire } from 'node:module';
import path from 'node:path';
import { Router } from 'express';

const require = createRequire(import.meta.url);

const assets: Readonly<Record<string, string>> = {
  'react.js': fileOf('react', 'umd/react.production.min.js'),
  'react-dom.js': fileOf('react-dom', 'umd/react-dom.production.min.js'),
  'graphiql.js': fileOf('graphiql', 'graphiql.min.js'),
  'graphiql.css': fileOf('graphiql', 'graphiql.min.css'),
};

function fileOf(name: string, file: string): string {
  return path.join(path.dirname(require.resolve(`${name}/package.json`)), file);
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Trigate GraphiQL</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/graphiql/graphiql.css">
<link rel="stylesheet" href="/graphiql/page.css">
</head>
<body>
<div id="graphiql">Loading the explorer…</div>
<script src="/graphiql/react.js"></script>
<script src="/graphiql/react-dom.js"></script>
<script src="/graphiql/graphiql.js"></script>
<script src="/graphiql/page.js"></script>
</body>
</html>
`;

const style = 'html, body, #graphiql { height: 100%; margin: 0; }\n';

const script = `const fetcher = GraphiQL.createFetcher({ url: '/graphql' });
const defaultQuery = \`# Anybody may read the catalogue.
#
# For the rest, get a token from POST /api/v1/auth/token
# and write below, under Headers:
#   {"Authorization": "Bearer <access_token>"}

query catalogue {
  catalogListings(first: 3) {
    nodes { id title price { amount currency } }
  }
}
\`;
// A link may bring an operation, as those of the audit do.
const query = new URLSearchParams(location.search).get('query') ?? undefined;
ReactDOM.createRoot(document.getElementById('graphiql')).render(
  React.createElement(GraphiQL, { fetcher, defaultQuery, query, shouldPersistHeaders: false }),
);
`;

/** The GraphQL explorer, with every byte from this server: it works without any outside host. */
export function graphiqlPage(): Router {
  const router = Router();
  router.use((_request, response, next) => {
    // The editor evaluates nothing and loads nothing from elsewhere; it does set inline styles and blob workers.
    response.setHeader(
      'Content-Security-Policy',
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; worker-src 'self' blob:",
    );
    next();
  });
  router.get('/', (_request, response) => void response.type('html').send(page));
  router.get('/page.css', (_request, response) => void response.type('css').send(style));
  router.get('/page.js', (_request, response) => void response.type('js').send(script));
  for (const [name, file] of Object.entries(assets)) {
    router.get(`/${name}`, (_request, response) => response.sendFile(file, { maxAge: '1h' }));
  }
  return router;
}
