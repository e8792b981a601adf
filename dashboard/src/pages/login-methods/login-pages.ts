// In one file, because an operator goes through all of them, and each further page makes the first load larger.

export { ProviderPage } from '../login-provider/provider-page.tsx';
export { SetUpPage } from '../login-provider-set-up/set-up-page.tsx';
export { LoginMethodsPage } from './login-methods-page.tsx';
