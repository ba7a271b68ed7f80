import { createRequire } from 'node:module';
import path from 'node:path';
import express, { type Express } from 'express';
import { html } from '../../site/html.ts';
import { readBrowserFile } from '../../site/readBrowserFile.ts';
import { htmlPage } from '../../site/shell/htmlPage.ts';
import { siteHeader, themeScript } from '../../site/shell/siteDocument.ts';
import { readExamples } from './readExamples.ts';

const require = createRequire(import.meta.url);

const assets: Readonly<Record<string, string>> = {
  'react.js': fileOf('react', 'umd/react.production.min.js'),
  'react-dom.js': fileOf('react-dom', 'umd/react-dom.production.min.js'),
  'graphql-ws.js': path.join(path.dirname(require.resolve('graphql-ws')), '../umd/graphql-ws.min.js'),
  'graphiql.js': fileOf('graphiql', 'graphiql.min.js'),
  'graphiql.css': fileOf('graphiql', 'graphiql.min.css'),
};

function fileOf(name: string, file: string): string {
  return path.join(path.dirname(require.resolve(`${name}/package.json`)), file);
}

/** Scripts and styles of the page itself, from the folder `explorer` of the site. */
const own = ['page.css', 'page.js', 'panels.js', 'session.js'] as const;

const page = htmlPage({
  title: 'GraphQL explorer · Trigate',
  styles: ['/docs/shell.css', '/graphiql/graphiql.css', '/graphiql/page.css'],
  scripts: [themeScript],
  content: html`<a class="skip" href="#graphiql">Skip to the explorer</a>
${siteHeader('/graphiql')}
<div class="tools">
<h1 class="unseen">GraphQL explorer</h1>
<form aria-label="Sign in">
<label data-for="password">E-mail or name <input name="email" autocomplete="username"></label>
<label data-for="password">Password <input type="password" name="password" autocomplete="current-password"></label>
<label data-for="code" hidden>Code <input name="code" autocomplete="one-time-code"></label>
<button>Sign in</button>
<p id="session" role="status"></p>
</form>
<label><input type="checkbox" id="headers" autocomplete="off"> Edit request headers</label>
</div>
<main id="graphiql" tabindex="-1">Loading the explorer…</main>
<script src="/graphiql/react.js"></script>
<script src="/graphiql/react-dom.js"></script>
<script src="/graphiql/graphql-ws.js"></script>
<script src="/graphiql/graphiql.js"></script>
<script type="module" src="/graphiql/page.js"></script>`,
});

/** Serves the GraphQL explorer, with all files from this server, so that it needs no external host. */
export function graphiqlPage(): Express {
  const app = express();
  for (const setting of ['x-powered-by', 'etag'] as const) app.disable(setting);
  app.use((_request, response, next) => {
    // The editor evaluates no code and loads nothing from other hosts, but uses inline styles and blob workers.
    response.setHeader(
      'Content-Security-Policy',
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; worker-src 'self' blob:",
    );
    next();
  });
  app.get('/', (_request, response) => void response.type('html').send(page));
  app.get('/examples.json', (_request, response) => void response.json(readExamples()));
  for (const name of own)
    app.get(
      `/${name}`,
      (_request, response) =>
        void response.type(path.extname(name)).send(readBrowserFile(`explorer/${name}`)),
    );
  for (const [name, file] of Object.entries(assets)) {
    app.get(`/${name}`, (_request, response) => response.sendFile(file, { maxAge: '1h' }));
  }
  return app;
}
