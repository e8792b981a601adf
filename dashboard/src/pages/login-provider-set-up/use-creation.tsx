import type { LoginProviderTest } from '@gatehouse/client';
import { useNavigate } from '@tanstack/react-router';
import { useProviderForm } from '../../components/login-providers/provider-form.ts';
import { type ProviderType, providerTypes } from '../../components/login-providers/provider-types.ts';
import {
  correctedIssuer,
  fieldOf,
  newProviderValues,
  type ProviderValues,
  toNewProvider,
} from '../../components/login-providers/provider-values.ts';
import { useSubmission } from '../../hooks/use-submission.ts';
import { useUnsavedWarning } from '../../hooks/use-unsaved-warning.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';
import { toLastTest } from '../../queries/ways-in/login-providers.ts';
import { useSite } from '../../session/site.ts';

type Created = { providerId: string } | Unusable;

interface Unusable {
  unusable: 'issuer' | 'tenant';
  message: string;
  /** The issuer as the metadata name it. */
  namedIssuer: string | null;
}

/** The form that creates a provider, tests it, and leads to its page with what the test has found. */
export function useCreation(type: ProviderType) {
  const t = useTexts('login');
  const { slug } = useSite();
  const { keys } = useSiteApi();
  const create = useTestedCreation(type);
  const navigate = useNavigate();
  const initialValues = newProviderValues(providerTypes[type].name);
  const form = useProviderForm(type, { initialValues, isNew: true });
  useUnsavedWarning(form.isDirty());

  async function proceed(created: Created): Promise<void> {
    if ('providerId' in created) {
      await navigate({
        to: '/$site/settings/login/$providerId',
        params: { site: slug, providerId: created.providerId },
        ignoreBlocker: true,
        replace: true,
      });
      return;
    }
    const { unusable, message } = created;
    form.setFieldError(
      unusable,
      <>
        {t(`unusable.${unusable}`)} <span lang="en">{message}</span>
      </>,
    );
    form.getInputNode(unusable)?.focus();
  }

  const creation = useSubmission(form, {
    send: create,
    onSuccess: proceed,
    invalidates: [keys.loginProviders.list, keys.loginMethods, keys.events.all],
    fieldOf: (pointer) => fieldOf(type, pointer),
  });
  return { form, creation };
}

/** Creates a provider that can be used, as it was entered or with the issuer that its metadata name. */
function useTestedCreation(type: ProviderType) {
  const { gatehouse, keys, client } = useSiteApi();

  async function createAsEntered(values: ProviderValues): Promise<Created> {
    const { id } = await gatehouse.loginProviders.create(toNewProvider(type, values));
    // The page of the provider offers the test again.
    const found = await gatehouse.loginProviders.test(id).catch(() => undefined);
    // Its issuer cannot be changed later.
    const unusable = found && unusableField(type, found);
    if (unusable && (await deleteAgain(id))) return unusable;
    if (found) client.setQueryData(keys.loginProviders.test(id), toLastTest(found));
    return { providerId: id };
  }

  /** Returns whether it worked. */
  function deleteAgain(id: string): Promise<boolean> {
    return gatehouse.loginProviders.delete(id).then(
      () => true,
      () => false,
    );
  }

  return async (values: ProviderValues): Promise<Created> => {
    const created = await createAsEntered(values);
    if ('providerId' in created) return created;
    const issuer = correctedIssuer(values.issuer, created.namedIssuer);
    return issuer === undefined ? created : createAsEntered({ ...values, issuer });
  };
}

/** The field of the issuer, if the check of it has failed. Only what was entered can be corrected. */
function unusableField(type: ProviderType, { checks, issuer }: LoginProviderTest): Unusable | undefined {
  const failed = checks.find(({ check, status }) => check === 'issuer' && status === 'failed');
  const field = fieldOf(type, '/issuer');
  return failed && (field === 'issuer' || field === 'tenant')
    ? { unusable: field, message: failed.message, namedIssuer: issuer }
    : undefined;
}
