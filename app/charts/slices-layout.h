/* Where the matrices of a block stand, to one scale, each with its words below it, and the sums
 * over tensor ranks between them: in one line, or attention above the MLP. */
#pragma once

#include "app/charts/canvas.h"
#include "app/charts/slices.h"

G_BEGIN_DECLS

/* Attention and MLP end with a sum over the ranks each. */
#define OL_N_SUMS 2

typedef struct {
  OlSlicedMatrix matrix;
  OlBox box;
  double caption_y, caption_width; /* of its first line of words; centred below the box */
} OlMatrixPlace;

typedef struct {
  OlMatrixPlace matrices[OL_N_MATRICES];
  double sum_x[OL_N_SUMS], sum_y[OL_N_SUMS], sum_radius;
  double line; /* height of a line of words */
  double title_y;
  OlBox note;
  guint note_lines;
} OlSlicesLayout;

void ol_slices_layout_init(OlSlicesLayout *layout, OlCanvas *canvas);
/* 0 where no matrix is sliced. */
double ol_slices_layout_height(OlCanvas *canvas);

/* What is said below the matrices. */
const char *ol_slices_note(void);

/* One slice of one band. */
OlBox ol_slices_layout_part(const OlSlicesLayout *layout, OlMatrix which, guint band, guint slice);
G_END_DECLS
