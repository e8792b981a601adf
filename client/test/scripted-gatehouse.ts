import { Gatehouse } from '../src/index.ts';
import { startScriptedServer } from './scripted-server.ts';

const member = {
  id: '01980a3e-7c1b-7d42-9f3a-2b6c4d5e6f70',
  email: 'ada@example.com',
  displayName: 'Ada 💙 Łovelace',
};

/** A fake Gatehouse for which every visitor is the same member, with access to everything or nothing. */
export async function scriptGatehouse(decision: 'allowed' | 'public' | 'denied') {
  const reasons = { allowed: 'member', public: 'public', denied: 'not_in_groups' };
  const access = { allowed: decision !== 'denied', reason: reasons[decision], rule: null };
  const data = { session: { id: '1' }, member, access, loginUrl: null };
  const { url, requests } = await startScriptedServer({ status: 200, body: { data } });
  return {
    gatehouse: new Gatehouse({ url, key: 'gate_test', retries: 0 }),
    requestedPaths: () => requests.map(({ body }) => JSON.parse(body).path),
  };
}
