import { describeOpenSearch } from './describeOpenSearch.ts';

describeOpenSearch('a node from Maven artifacts', (engine) => {
  test('states its version and has the modules that the catalogue search uses', async () => {
    const { version } = (await send('GET', '')) as { version: { number: string } };
    expect(version.number).toMatch(/^[23]\.\d+\.\d+$/);
    const mappings = { properties: { place: { type: 'geo_point' }, wanted: { type: 'percolator' } } };
    expect(await send('PUT', 'trigate-start-test', { mappings })).toMatchObject({ acknowledged: true });
    expect(await send('DELETE', 'trigate-start-test')).toEqual({ acknowledged: true });
  });

  async function send(method: string, path: string, body?: object): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${engine().url}/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return response.json();
  }
});
