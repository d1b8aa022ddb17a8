import { useMutation, useQueryClient } from '@tanstack/react-query';
import { focusHeading } from '#lib/focus-heading.ts';
import { actOnImport, type ImportAction, importKeys } from './api.ts';
import { stopUpload, useUpload } from './upload/upload.ts';

/** Does something with an import; what is shown of it follows from the answer. */
export function useImportAction(id: string) {
  const queryClient = useQueryClient();
  const isOwn = useUpload()?.id === id;
  return useMutation({
    mutationFn: (action: ImportAction) => actOnImport(id, action),
    onSuccess: (one) => {
      // Told first and then sent no more: otherwise it would look like a broken connection.
      if (isOwn) stopUpload();
      queryClient.setQueryData(importKeys.one(id), one);
      void queryClient.invalidateQueries({ queryKey: importKeys.all });
      // The button that was pressed is gone.
      focusHeading();
    },
  });
}
