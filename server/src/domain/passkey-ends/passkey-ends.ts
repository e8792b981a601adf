export { deletePasskeysOf } from './passkey-ends-store.ts';
