import type { Permission, Site } from '@gatehouse/client';
import { Fieldset } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { ErrorNote } from '../../../components/feedback/error-note.tsx';
import { SaveBar } from '../../../components/forms/save-bar.tsx';
import { FormSkeleton } from '../../../components/layout/skeletons.tsx';
import { Beside } from '../../../components/page/beside.tsx';
import { useSavedSite } from '../../../queries/saved-site.ts';
import type { Version } from '../../../queries/version.ts';
import { useMay } from '../../../session/site.ts';
import { ReadOnlyNote } from '../read-only-note.tsx';
import type { FormSection } from './form-section.ts';
import { useSectionForm } from './use-section-form.ts';

interface SectionFormProps<Values extends object> {
  section: FormSection<Values>;
  /** The name of the section. */
  label: string;
  /** Permissions that changing it takes besides the one for settings. */
  permissions?: readonly Permission[];
  /** What is shown beside the form. */
  aside?: (values: Values, site: Site) => ReactNode;
  children: (form: UseFormReturnType<Values>, site: Site) => ReactNode;
}

/** The form of a section of the settings, which is saved by itself. */
export function SectionForm<Values extends object>(props: SectionFormProps<Values>) {
  const { data, error, refetch } = useSavedSite();
  const reload = async () => (await refetch({ throwOnError: true })).data!;
  return (
    <>
      {error && !data && <ErrorNote error={error} retry={refetch} />}
      {!data && !error && <FormSkeleton />}
      {data && <LoadedForm {...props} saved={data} reload={reload} />}
    </>
  );
}

interface LoadedFormProps<Values extends object> extends SectionFormProps<Values> {
  saved: Version<Site>;
  reload: () => Promise<Version<Site>>;
}

function LoadedForm<Values extends object>(props: LoadedFormProps<Values>) {
  const { section, label, permissions = [], aside, children, saved, reload } = props;
  const mayWrite = useMay('site:write', ...permissions);
  const { form, base, ...state } = useSectionForm(section, saved, reload);
  const fields = (
    <Fieldset variant="unstyled" m={0} disabled={!mayWrite} aria-label={label}>
      {children(form, base.data)}
    </Fieldset>
  );
  return (
    <>
      {!mayWrite && <ReadOnlyNote />}
      {aside ? <Beside aside={aside(form.values, base.data)}>{fields}</Beside> : fields}
      <SaveBar {...state} />
    </>
  );
}
