/* What a tensor rank holds of a block's matrices, each [out][in]: qkv and expand are cut by their
 * outputs, projection and contract by their inputs, so that each pair needs one sum over the ranks
 * (Shoeybi et al., Megatron-LM, 2019, section 3). */
#pragma once

#include "app/charts/view.h"

G_BEGIN_DECLS

typedef enum {
  OL_MATRIX_QKV,
  OL_MATRIX_PROJECTION,
  OL_MATRIX_EXPAND,
  OL_MATRIX_CONTRACT,
  OL_N_MATRICES
} OlMatrix;

typedef struct {
  const char *name;
  guint rows, columns; /* outputs and inputs of the whole matrix */
  gboolean by_rows;    /* cut by outputs, else by inputs */
  guint bands;         /* each of which is cut for itself: q, k and v */
  guint slices, slice; /* how many, and which one is the selected rank's */
  guint first, last;   /* rows or columns of each band that it holds */
} OlSlicedMatrix;

/* Whether tensor ranks share the matrices of the view's run, and its width is known. */
gboolean ol_slices_are_there(const OlChartView *view);

void ol_sliced_matrix_init(OlSlicedMatrix *matrix, const OlChartView *view, OlMatrix which);
/* "1/2: rows 64–127 of q, k, v". Caller frees. */
char *ol_sliced_matrix_dup_held(const OlSlicedMatrix *matrix);

/* "qkv [384][128]". Caller frees. */
char *ol_sliced_matrix_dup_name(const OlSlicedMatrix *matrix);

G_END_DECLS
