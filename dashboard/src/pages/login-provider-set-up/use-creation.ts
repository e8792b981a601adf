import { useNavigate } from '@tanstack/react-router';
import { useProviderForm } from '../../components/login-providers/provider-form.ts';
import { type ProviderType, providerTypes } from '../../components/login-providers/provider-types.ts';
import {
  fieldOf,
  newProviderValues,
  type ProviderValues,
  toNewProvider,
} from '../../components/login-providers/provider-values.ts';
import { useSubmission } from '../../hooks/use-submission.ts';
import { useUnsavedWarning } from '../../hooks/use-unsaved-warning.ts';
import { useSiteApi } from '../../queries/site-api.ts';
import { useSite } from '../../session/site.ts';

/** The form that creates a provider, tests it, and leads to its page with what the test has found. */
export function useCreation(type: ProviderType) {
  const { slug } = useSite();
  const { gatehouse, keys, client } = useSiteApi();
  const navigate = useNavigate();
  const initialValues = newProviderValues(providerTypes[type].name);
  const form = useProviderForm(type, { initialValues, isNew: true });
  useUnsavedWarning(form.isDirty());

  async function create(values: ProviderValues): Promise<string> {
    const { id } = await gatehouse.loginProviders.create(toNewProvider(type, values));
    // The page of the provider offers the test again.
    const found = await gatehouse.loginProviders.test(id).catch(() => undefined);
    if (found) client.setQueryData(keys.loginProviders.test(id), found);
    return id;
  }

  const creation = useSubmission(form, {
    send: create,
    onSuccess: (providerId) =>
      navigate({
        to: '/$site/settings/login/$providerId',
        params: { site: slug, providerId },
        ignoreBlocker: true,
        replace: true,
      }),
    invalidates: [keys.loginProviders.list, keys.loginMethods, keys.events.all],
    fieldOf: (pointer) => fieldOf(type, pointer),
  });
  return { form, creation };
}
