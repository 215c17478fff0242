/* Matrices that are structures: bounds, data and factors are members. */
struct matrix { int rows, cols; double *data; };
struct problem { struct matrix *left; float scale; };
void structure_sizes(const struct problem *p, struct matrix *out) {
#pragma scop
  for (int i = 0; i < p->left->rows; i++)
    for (int j = 0; j < p->left->cols; j++)
      out->data[i * p->left->cols + j] = p->scale * p->left->data[i * p->left->cols + j];
#pragma endscop
}
